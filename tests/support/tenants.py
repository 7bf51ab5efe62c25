"""Toolsets of four trades, as their owners would describe them."""

from turnkey.tools import Tool, ToolKind, Toolset


def tool(name: str, title: str, kind: ToolKind, description: str, words: tuple[str, ...] = ()) -> Tool:
    """A tool by what the reading step sees of it."""
    return Tool(
        name=name,
        server="tenant",
        original_name=name,
        title=title,
        description=description,
        parameters={"type": "object", "properties": {}},
        kind=kind,
        words=words,
    )


BOOKSHOP = Toolset(
    [
        tool(
            "search_books",
            "Search books",
            "items",
            "Find books in the shop by words of the title, the author or the subject, in any script. Use it whenever "
            "someone asks which books there are, for a recommendation, for a price, or needs a book_id. Returns how "
            "many books match and the best of them with author, year, language, level, subject and price.",
        ),
        tool(
            "get_book",
            "Get a book",
            "lookup",
            "Get everything about one book: title, English title, author, year, language, level, subject, price. Use "
            "it when someone asks about one book whose book_id is known. It does not tell the stock.",
        ),
        tool(
            "check_stock",
            "Check stock",
            "lookup",
            "Tell how many copies of one book are free now and on which shelf it stands. Use it when someone asks "
            "whether a book is available, and before holding copies.",
        ),
        tool(
            "hold_for_pickup",
            "Hold for pickup",
            "action",
            "Set copies of one book aside for a customer to pick up and pay in the shop. Use it only when the customer "
            "has asked for it: every call takes copies off the free stock and makes a new hold.",
        ),
    ]
)
CLINIC = Toolset(
    [
        tool(
            "find_slots", "Find free slots", "items", "List free appointment slots, by doctor or specialty and by day."
        ),
        tool("get_opening_hours", "Get opening hours", "lookup", "Tell when the clinic is open on a given day."),
        tool(
            "list_documents",
            "List documents",
            "items",
            "List forms and documents that patients need, such as consent forms and questionnaires.",
        ),
        tool(
            "list_doctors",
            "List doctors",
            "items",
            "List the doctors of the clinic with their specialty and languages.",
        ),
        tool(
            "book_appointment",
            "Book an appointment",
            "action",
            "Book an appointment with a doctor at a free slot for a patient.",
        ),
        tool("cancel_appointment", "Cancel an appointment", "action", "Cancel an appointment by its number."),
        tool("get_price", "Get a price", "lookup", "Tell the price of one treatment or service."),
    ]
)
RENTAL = Toolset(
    [
        tool(
            "list_bikes",
            "List bikes",
            "items",
            "List the bikes that can be rented in a period, with type, size and price per day.",
        ),
        tool(
            "get_rental_price",
            "Get a rental price",
            "lookup",
            "Tell what one bike costs for a number of days, extras included.",
        ),
        tool(
            "reserve_bike",
            "Reserve a bike",
            "action",
            "Reserve a bike for a customer from one day to another. Returns the reservation number.",
        ),
        tool(
            "get_station_hours",
            "Opening hours of a station",
            "lookup",
            "Tell when a rental station is open and where it is.",
        ),
    ]
)
RESTAURANT = Toolset(
    [
        tool(
            "list_dishes",
            "List dishes",
            "items",
            "List the dishes of the menu with price, allergens and whether they are vegetarian or vegan.",
        ),
        tool(
            "find_tables",
            "Find free tables",
            "items",
            "List the free tables for a number of guests at a day and time.",
        ),
        tool(
            "reserve_table",
            "Reserve a table",
            "action",
            "Reserve a table for a number of guests at a day and time.",
        ),
        tool("get_opening_hours", "Get opening hours", "lookup", "Tell when the restaurant is open on a given day."),
    ]
)
TENANTS = {"bookshop": BOOKSHOP, "clinic": CLINIC, "rental": RENTAL, "restaurant": RESTAURANT}
