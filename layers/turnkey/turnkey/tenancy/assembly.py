"""Everything that provisioning works with, made once per process from the function's environment."""

from functools import partial

from turnkey.environment import flag, optional, required
from turnkey.store.alarms import AlarmStore
from turnkey.store.audit import AuditStore
from turnkey.store.contacts import ContactStore
from turnkey.store.deletions import DeletionStore
from turnkey.store.documents import DocumentStore
from turnkey.store.erasing import Eraser
from turnkey.store.locks import LockStore
from turnkey.store.manifests import ManifestStore
from turnkey.store.objects import ObjectStore
from turnkey.store.people import PeopleStore
from turnkey.store.reviews import ReviewStore
from turnkey.store.schedules import ScheduleStore
from turnkey.store.secrets import SecretStore
from turnkey.store.servers import ServerStore
from turnkey.store.tallies import TallyStore
from turnkey.store.tenants import TenantStore
from turnkey.store.tokens import TokenStore
from turnkey.store.usage import UsageStore
from turnkey.tenancy import belongings
from turnkey.tenancy.apply import Provisioner
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.closing import close
from turnkey.tenancy.contact_desk import ContactDesk
from turnkey.tenancy.deletion import Deleter
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.document_desk import DocumentDesk
from turnkey.tenancy.documents import SharedDocuments
from turnkey.tenancy.existing import read
from turnkey.tenancy.people_desk import PeopleDesk
from turnkey.tenancy.preparing import Preparer
from turnkey.tenancy.refreshing import Refresher
from turnkey.tenancy.reviews import ReviewDesk
from turnkey.tenancy.schedule_desk import ScheduleDesk
from turnkey.tenancy.servers import ServerDesk
from turnkey.tenancy.service import Service


def service() -> Service:
    """Raises Permanent when the template does not name the tables or the bucket."""
    settings, conversations = required("TURNKEY_TENANTS_TABLE"), required("TURNKEY_CONVERSATIONS_TABLE")
    allow_private = flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES")
    tenants, manifests, secrets = TenantStore(settings), ManifestStore(settings), SecretStore()
    audit, deletions = AuditStore(settings), DeletionStore(conversations)
    changing = Changing(LockStore(conversations), deletions, audit)
    eraser = Eraser(settings, conversations, required("TURNKEY_OBJECTS_BUCKET"))
    servers = ServerStore(settings)
    documents = DocumentStore(conversations, ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
    refresher = Refresher(tenants, servers, secrets, TokenStore(conversations, secrets), allow_private=allow_private)
    alarms = belongings.alarms(AlarmStore(required("TURNKEY_SCHEDULE_GROUP")), ScheduleStore(conversations))
    # The rows that name them go after them, so that a run that is cut off still knows them.
    kept = belongings.secrets(secrets, lambda tenant: read(tenant, tenants, manifests).secret_names)
    gone = (belongings.objects(eraser), kept, alarms, belongings.settings(eraser), *belongings.partitions(eraser))
    desk = Desk(
        tenants=tenants,
        manifests=manifests,
        secrets=secrets,
        deletions=deletions,
        audit_log=audit,
        changing=changing,
        deleter=Deleter(eraser, deletions, audit, partial(close, tenants), gone),
        allow_private=allow_private,
    )
    return Service(
        provisioner=Provisioner(
            Preparer(
                tenants, manifests, secrets, allow_private=allow_private, mail_domain=optional("TURNKEY_MAIL_DOMAIN")
            ),
            changing,
            tenants,
            manifests,
            secrets,
            SharedDocuments(documents),
        ),
        desk=desk,
        servers=ServerDesk(servers, refresher),
        contacts=ContactDesk(ContactStore(conversations), audit, changing, desk, ReviewStore(conversations)),
        people=PeopleDesk(PeopleStore(conversations), desk, changing),
        schedules=ScheduleDesk(ScheduleStore(conversations), desk),
        documents=DocumentDesk(documents, desk),
        reviews=ReviewDesk(ReviewStore(conversations), desk, changing),
        changing=changing,
        tenants=tenants,
        tallies=TallyStore(conversations),
        used=UsageStore(conversations),
    )
