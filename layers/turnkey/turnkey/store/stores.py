"""All that a stage reads and writes, made once per process from the function's environment."""

from dataclasses import dataclass

from turnkey.environment import required
from turnkey.store.contacts import ContactStore
from turnkey.store.conversations import ConversationStore
from turnkey.store.people import PeopleStore
from turnkey.store.reviews import ReviewStore
from turnkey.store.schedules import ScheduleStore
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import TenantStore
from turnkey.store.tokens import TokenStore
from turnkey.store.turns import TurnStore
from turnkey.store.usage import UsageStore


@dataclass(frozen=True)
class Stores:
    tenants: TenantStore
    conversations: ConversationStore
    turns: TurnStore
    secrets: SecretStore
    tokens: TokenStore
    usage: UsageStore
    contacts: ContactStore
    people: PeopleStore
    reviews: ReviewStore
    schedules: ScheduleStore

    @classmethod
    def from_environment(cls) -> "Stores":
        """Raises Permanent when the template does not name the tables."""
        table = required("TURNKEY_CONVERSATIONS_TABLE")
        conversations = ConversationStore(table)
        secrets = SecretStore()
        return cls(
            tenants=TenantStore(required("TURNKEY_TENANTS_TABLE")),
            conversations=conversations,
            turns=TurnStore(table, conversations),
            secrets=secrets,
            tokens=TokenStore(table, secrets),
            usage=UsageStore(table),
            contacts=ContactStore(table),
            people=PeopleStore(table),
            reviews=ReviewStore(table),
            schedules=ScheduleStore(table),
        )
