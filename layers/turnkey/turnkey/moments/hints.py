"""What the model is told where no moment was read."""

HINTS = {
    "no_time": "No time ahead is said, or only today without an hour. Ask the customer for the day and the time.",
    "ambiguous": "This may mean {options}. Ask the customer which of them; do not choose.",
    "past": "That time is over already. Tell the customer so, and ask for a time ahead.",
    "too_far": "That is more than {years} years ahead, or no date at all. Ask the customer for a nearer time.",
    "recurring": "Only one single time can be kept, none that comes again and again. Say so, and offer the next one.",
}
"""By Why; {options} are the times it may mean, {years} how far ahead a time may be."""
