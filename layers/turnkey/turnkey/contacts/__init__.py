"""Contact details of customers: what is kept, how it is read and checked, and what the customer is told of it."""
