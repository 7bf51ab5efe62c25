"""What Deliver and Apologise send with, made once per process from the function's environment."""

from turnkey.environment import flag, optional, required
from turnkey.network.sending import HttpSender
from turnkey.store.mail import SesMailer
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.turn.deliver import Deliverer
from turnkey.turn.people import People
from turnkey.turn.ways import Ways


def delivery(stores: Stores) -> Deliverer:
    """Raises Permanent when the template does not name the bucket."""
    sender = HttpSender(allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))
    ways = Ways(stores.secrets, sender, SesMailer(), optional("TURNKEY_MAIL_DOMAIN"))
    return Deliverer(stores, sender, ObjectStore(required("TURNKEY_OBJECTS_BUCKET")), People(stores, ways))
