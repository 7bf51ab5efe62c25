"""The network guard's rules: where a tenant can send the platform, and where never."""

from ipaddress import ip_address

import pytest

from turnkey.errors import AddressRefused
from turnkey.network import check_url, is_public

PRIVATE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::1",
    "2001:0:7f00:1::80ff:fffe", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1", "2001:db8::1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_of_the_open_internet_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused, match="not a public address"):
        check_url(f"https://{host}/mcp", allow_private=False)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://shop.example.com/mcp", "https"),
        ("ftp://shop.example.com/mcp", "https"),
        ("file:///etc/passwd", "https"),
        ("shop.example.com/mcp", "https"),
        ("", "https"),
        ("https://", "no host"),
        ("https:///mcp", "no host"),
        ("https://user:pw@shop.example.com/mcp", "user or password"),
        ("https://user@shop.example.com/mcp", "user or password"),
        ("https://shop.example.com:99999/mcp", "no URL"),
        ("https://[::1/mcp", "no URL"),
        ("https://shop.example.com/a b", "white space"),
        ("https://shop.example.com/a\x7f\x00", "white space|control"),
    ],
)
def test_an_address_that_no_tenant_may_name_is_explained(url: str, reason: str) -> None:
    with pytest.raises(AddressRefused, match=reason):
        check_url(url, allow_private=False)


@pytest.mark.parametrize("url", ["https://user:hunter2@h.example.com/", "ftp://h.example.com/?api_key=hunter2"])
def test_a_refusal_repeats_no_secret_of_the_address(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        check_url(url, allow_private=False)
    assert "hunter2" not in str(refused.value)


def test_the_local_stack_may_use_plain_http_and_this_machine() -> None:
    check_url("http://127.0.0.1:8930/mcp", allow_private=True)
