"""A skill's folder is read, or everything that is wrong with it is said at once."""

import pytest

from turnkey.skills import naming, paths
from turnkey.skills.limits import BODY_TOKENS, FILES, SKILL_BYTES
from turnkey.skills.parsing import parse
from turnkey.skills.skill import Skill

FRONT = "---\nname: refunds\ndescription: Gives money back.\n---\n"


def skill(text: str, **files: str) -> Skill:
    found = parse({"SKILL.md": text, **files}).skill
    assert found, parse({"SKILL.md": text, **files}).wrong
    return found


def wrong(text: str, folder: str = "", **files: str) -> list[tuple[str, str, str]]:
    parsed = parse({"SKILL.md": text, **files}, folder)
    assert parsed.skill is None
    return [(one.file, one.key, one.problem) for one in parsed.wrong]


def test_a_skill_is_read_with_its_front_matter_body_and_files() -> None:
    text = (
        "---\nname: refunds\ndescription: >-\n  Gives money\n  back.\nlicense: Apache-2.0\n"
        "compatibility: Any agent.\nmetadata:\n  author: shop\n  version: 1.0\n"
        "allowed-tools: find_order orders:refund_*\n---\n\n# Refunds\n\nAsk for the order.\n"
    )
    found = skill(text, **{"references/terms.md": "30 days.", "scripts/a.py": "print(1)"})
    assert (found.name, found.description) == ("refunds", "Gives money back.")
    assert (found.license, found.compatibility) == ("Apache-2.0", "Any agent.")
    assert found.metadata == {"author": "shop", "version": "1.0"}
    assert found.tools == ("find_order", "orders:refund_*")
    assert found.body == "# Refunds\n\nAsk for the order."
    assert found.files == {"references/terms.md": "30 days.", "scripts/a.py": "print(1)"}
    assert found.head.has_files


@pytest.mark.parametrize(
    "text",
    [
        f"{FRONT}Ask.",
        f"\ufeff{FRONT}Ask.",
        f"{FRONT}Ask.".replace("\n", "\r\n"),
        f"{FRONT}Ask.".replace("\n", "\r"),
        f"\n\n{FRONT}Ask.",
        "---  \nname: refunds\ndescription: Gives money back.\n--- \nAsk.\n",
        "---\nname: 'refunds'\ndescription: \"Gives money back.\"\nallowed-tools:\nmetadata:\n---\nAsk.",
        "---\n# ours\nname: refunds\ndescription: |\n  Gives\n  money back.\n---\nAsk.",
    ],
)
def test_however_its_lines_end_it_is_the_same_skill(text: str) -> None:
    found = skill(text)
    assert (found.name, found.description, found.body) == ("refunds", "Gives money back.", "Ask.")


def test_values_stay_as_they_are_written() -> None:
    found = skill("---\nname: '007'\ndescription: yes\nmetadata: {version: 1.10, on: off}\n---\nA --- b\n---\nc")
    assert (found.name, found.description) == ("007", "yes")
    assert found.metadata == {"version": "1.10", "on": "off"}
    assert found.body == "A --- b\n---\nc"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Use it when: asked", "Use it when: asked"),
        ('Says "no": always. Never: yes', 'Says "no": always. Never: yes'),
        ("用于: 退款", "用于: 退款"),
        ("C:\\temp is: nothing", "C:\\temp is: nothing"),
        ("'Use it when: asked'", "Use it when: asked"),
        ("At 10:30 and https://a.example", "At 10:30 and https://a.example"),
    ],
)
def test_a_colon_in_a_text_is_taken_as_it_is_meant(written: str, read: str) -> None:
    assert skill(f"---\nname: r\ndescription: {written}\nallowed-tools: a\n---\nb").description == read


@pytest.mark.parametrize(
    "written",
    [
        "allowed-tools: find_order orders:refund_*",
        "allowed-tools: find_order, orders:refund_*",
        "allowed-tools: [find_order, 'orders:refund_*']",
        "allowed-tools:\n  - find_order\n  - orders:refund_*\n  - find_order",
    ],
)
def test_allowed_tools_are_a_text_or_a_list(written: str) -> None:
    assert skill(f"---\nname: r\ndescription: d\n{written}\n---\nb").tools == ("find_order", "orders:refund_*")


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        ("Ask.", "", "has no front matter"),
        ("", "", "has no front matter"),
        ("# Refunds\n---\nname: r\n---\n", "", "has no front matter"),
        ("---\nname: refunds\ndescription: d\nAsk.", "", "without an end"),
        ("---\n---\nAsk.", "", "no mapping"),
        ("---\n- name\n---\nAsk.", "", "no mapping"),
        ("---\njust words\n---\nAsk.", "", "no mapping"),
        ("---\nname: r\ndescription: Use\n  it when: asked\n---\nb", "", "at line 4: mapping values"),
        ("---\nname: r\ndescription: Use\n  it when: asked\n---\nb", "", "between quotes"),
        ("---\nname: r: s\ndescription: [a\n---\nb", "", "is no YAML at line"),
        ("---\nname: [r\n---\nb", "", "is no YAML"),
        ("---\nname: r\n\tdescription: d\n---\nb", "", "is no YAML at line 3"),
        ("---\nname: r\nname: s\ndescription: d\n---\nb", "", "'name' twice"),
        ("---\n? [a]\n: b\n---\nb", "", "front matter"),
        ("---\nx: " + "[" * 5000 + "\n---\nb", "", "is no YAML"),
        ("---\nx: " + "y" * 20_000 + "\n---\nb", "", "has front matter of 20,0"),
        ("---\ndescription: d\n---\nb", "name", "is missing"),
        ("---\nname: r\n---\nb", "description", "is missing"),
        ("---\nname:\ndescription: d\n---\nb", "name", "is empty"),
        ("---\nname: r\ndescription: ''\n---\nb", "description", "is empty"),
        ("---\nname: Refunds\ndescription: d\n---\nb", "name", "is no name of a skill"),
        ("---\nname: -r\ndescription: d\n---\nb", "name", "is no name of a skill"),
        ("---\nname: r--s\ndescription: d\n---\nb", "name", "is no name of a skill"),
        ("---\nname: ../../etc\ndescription: d\n---\nb", "name", "is no name of a skill"),
        ("---\nname: 退款\ndescription: d\n---\nb", "name", "is no name of a skill"),
        (f"---\nname: {'r' * 65}\ndescription: d\n---\nb", "name", "is no name of a skill"),
        (f"---\nname: r\ndescription: {'d' * 1025}\n---\nb", "description", "more than 1,024"),
        (f"---\nname: r\ndescription: d\ncompatibility: {'c' * 501}\n---\nb", "compatibility", "more than 500"),
        ("---\nname: r\ndescription: [d]\n---\nb", "description", "is no text"),
        ("---\nname: {a: b}\ndescription: d\n---\nb", "name", "is no text"),
        ("---\nname: r\ndescription: d\nmetadata: x\n---\nb", "metadata", "is no mapping"),
        ("---\nname: r\ndescription: d\nmetadata: {a: [b]}\n---\nb", "metadata", "is no mapping"),
        ("---\nname: r\ndescription: d\nallowed-tools: {a: b}\n---\nb", "allowed-tools", "nor a list"),
        ("---\nname: r\ndescription: d\nallowed-tools: '*'\n---\nb", "allowed-tools", "every tool"),
        ("---\nname: r\ndescription: d\n---\n", "", "no instructions"),
        ("---\nname: r\ndescription: d\n---\n" + "word " * (BODY_TOKENS + 1000), "", "tokens, more than the 8,000"),
        ("---\nname: r\ndescription: d\n---\n" + "退" * BODY_TOKENS, "", "tokens, more than the 8,000"),
        ("---\nname: r\ndescription: d\n---\nb\x00", "", "is no text"),
    ],
)
def test_what_is_malformed_is_said_where_it_is_and_what_to_do(text: str, key: str, problem: str) -> None:
    [(file, found_key, said)] = wrong(text)
    assert (file, found_key) == ("SKILL.md", key)
    assert problem in said


def test_everything_is_said_at_once() -> None:
    found = wrong(
        "---\nname: R\ndescription:\nmetadata: x\n---\n",
        folder="refunds",
        **{"../x": "a", "b.md": "\x01"},
    )
    assert [(file, key) for file, key, _ in found] == [
        ("../x", ""),
        ("b.md", ""),
        ("SKILL.md", "description"),
        ("SKILL.md", "name"),
        ("SKILL.md", "metadata"),
        ("SKILL.md", ""),
    ]


def test_a_skill_has_the_name_of_its_folder() -> None:
    assert parse({"SKILL.md": f"{FRONT}b"}, "refunds").skill
    [(_, key, said)] = wrong(f"{FRONT}b", folder="money")
    assert key == "name"
    assert "'refunds' is not what the folder is called: 'money'" in said


def test_a_folder_needs_its_skill_md_by_that_very_name() -> None:
    assert [one.problem for one in parse({}).wrong] == ["has no SKILL.md: add it"]
    assert [one.problem for one in parse({"skill.md": f"{FRONT}b"}).wrong] == ["has no SKILL.md: rename skill.md"]


def test_unknown_fields_and_long_instructions_are_put_up_with_and_told() -> None:
    parsed = parse({"SKILL.md": "---\nname: r\ndescription: d\nmodel: x\n---\n" + "word " * 6000})
    assert parsed.skill
    assert parsed.warnings[0] == "does nothing here: model"
    assert "tokens in every turn" in parsed.warnings[1]


@pytest.mark.parametrize(
    "path",
    [
        *("../x.md", "a/../../x.md", "/etc/passwd", "a//b", "./a", "a/.", "", "a/", "C:/x", "c:x", "a\\b", "..\\x"),
        *("a\nb", "a\x00b", "a\u202eb", "a" * 201, "/".join("abcdefghi")),
    ],
)
def test_no_file_lies_outside_its_folder(path: str) -> None:
    assert paths.problem(path)
    assert parse({"SKILL.md": f"{FRONT}b", path: "x"}).skill is None


@pytest.mark.parametrize("path", ["references/terms.md", "a b.txt", "ü/条件.md", "scripts/..hidden"])
def test_plain_paths_are_taken(path: str) -> None:
    assert skill(f"{FRONT}b", **{path: "x"}).files == {path: "x"}


def test_files_are_not_told_apart_by_capitals_and_no_file_is_a_folder_too() -> None:
    assert paths.double(["a.md", "A.md", "b", "b/c"]) == ["A.md", "b"]
    assert paths.double(["caf\u00e9.md", "cafe\u0301.md"]) == ["cafe\u0301.md"]


def test_a_skill_is_bounded() -> None:
    many = {f"references/{number}.md": "x" for number in range(FILES)}
    assert [one.problem for one in parse({"SKILL.md": f"{FRONT}b", **many}).wrong] == [
        f"has {FILES + 1} files, more than {FILES}: leave some out"
    ]
    [huge] = parse({"SKILL.md": f"{FRONT}b", "x.md": "ü" * (SKILL_BYTES // 2)}).wrong
    assert "more than 256,000" in huge.problem


def test_hidden_characters_reach_no_model() -> None:
    found = skill(f"{FRONT}Ask\u200b first\U000e0041.", **{"x.md": "a\u2060b"})
    assert (found.body, found.files["x.md"]) == ("Ask first.", "ab")


def test_a_file_is_found_however_its_path_is_written() -> None:
    found = skill(f"{FRONT}Ask.", **{"references/terms.md": "30 days."})
    assert found.find("./references/terms.md") == found.find("refunds/references/terms.md") == "30 days."
    assert found.find("SKILL.md") == "Ask."
    assert found.find("references/other.md") is None
    assert "references/terms.md" in found.told
    assert "nothing runs them" in found.told


TOOLS = (("orders", "find_order"), ("orders", "refund_order"), ("orders", "refund_part"), ("stock", "find_order"))


@pytest.mark.parametrize(
    ("entry", "places"),
    [
        ("refund_order", [1]),
        ("find_order", [0, 3]),
        ("stock:find_order", [3]),
        ("stock/find_order", [3]),
        ("mcp__stock__find_order", [3]),
        ("stock_find_order", [3]),
        ("orders:refund_*", [1, 2]),
        ("refund_*", [1, 2]),
        ("orders:*", [0, 1, 2]),
        ("mcp__orders", [0, 1, 2]),
        ("orders:", [0, 1, 2]),
        ("Read", []),
        ("Bash(git:*)", []),
        ("Refund_order", []),
        ("refund", []),
    ],
)
def test_a_tool_is_named_as_its_server_calls_it(entry: str, places: list[int]) -> None:
    assert naming.matching(entry, TOOLS) == tuple(TOOLS[place] for place in places)


def test_a_tool_whose_own_name_has_a_colon_is_itself() -> None:
    tools = (("crm", "customers:find"), ("customers", "find"))
    assert naming.matching("customers:find", tools) == (tools[0],)


def test_arguments_of_a_command_stay_together() -> None:
    assert naming.entries("Bash(git add:*) Read, Write") == ("Bash(git add:*)", "Read", "Write")
