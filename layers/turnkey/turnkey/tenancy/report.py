"""What applying a manifest did, or would do."""

from turnkey.tenancy.changes import Change
from turnkey.tenancy.preview import ServerReport
from turnkey.tenancy.problems import Problem
from turnkey.tenancy.skills import SkillReport
from turnkey.values import Value


class Report(Value):
    """With errors, nothing was changed."""

    tenant: str = ""
    changed: bool = False
    changes: tuple[Change, ...] = ()
    servers: tuple[ServerReport, ...] = ()
    skills: tuple[SkillReport, ...] = ()
    errors: tuple[Problem, ...] = ()
