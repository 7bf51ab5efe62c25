"""The network guard's rules: where a tenant can send the platform, and where never. No look-up, no socket."""

from ipaddress import ip_address

import pytest

from turnkey.errors import AddressRefused
from turnkey.network import check_url, is_public
from turnkey.network.addresses import is_allowed

PRIVATE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
    "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8",
    "::ffff:0:127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "64:ff9b:1::808:808",
    "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2001:0:7f00:1::80ff:fffe", "2001::1", "2001:2::1",
    "2001:10::1", "2001:20::1", "2001:db8::1", "3ffe::1", "3fff::1", "5f00::1", "fe80::1", "fe80::1%1", "fec0::1",
    "fc00::1", "fd00:ec2::254", "ff02::1", "100::1", "100:0:0:1::1", "2606:4700::5efe:10.0.0.1",
    "2606:4700::200:5efe:127.0.0.1", "4000::1",
]  # fmt: skip
PUBLIC = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "192.0.1.1", "198.17.255.255", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e",
    "64:ff9b::808:808", "::ffff:8.8.8.8",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_of_the_open_internet_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused, match=r"not a public address|has a zone"):
        check_url(f"https://{host}/mcp", allow_private=False)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_public(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    check_url(f"https://{host}/mcp", allow_private=False)


TRICKS = [
    # spellings of 127.0.0.1, 169.254.169.254 and 10.0.0.1
    "https://2130706433/", "https://0x7f000001/", "https://0x7F.0x0.0x0.0x1/", "https://017700000001/",
    "https://0177.0.0.1/", "https://0177.0.0.01/", "https://127.1/", "https://127.0.1/", "https://0x7f.1/", "https://0/",
    "https://0x/", "https://00000000177.0.0.1/", "https://127.0.0.1./", "https://127.0.0.1../", "https://127.0.0.1.0x0/",
    "https://127.000.000.001/", "https://256.256.256.256/", "https://127.0.0.0.1/", "https://2852039166/",
    "https://0xA9FEA9FE/", "https://0251.0376.0251.0376/", "https://169.254.43518/", "https://10.1/",
    "https://18446744071562067969/", "https://134744072/", "https://foo.0x7f/", "https://a.b.1/",
    # the same in IPv6
    "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:127.0.0.1]/",
    "https://[0000:0000:0000:0000:0000:ffff:a9fe:a9fe]/", "https://[::]/", "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/", "https://[2606:4700::1%25lo]/", "https://[v1.fe80]/", "https://[::1/", "https://::1/",
    "https://[127.0.0.1]/", "https://[]/",
    # names of inside
    "https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://shop.localhost/",
    "https://localhost.localdomain/", "https://printer.local/", "https://vault.internal/",
    "https://metadata.google.internal/computeMetadata/v1/", "https://metadata.google.internal./", "https://metadata/",
    "https://metadata.goog/", "https://instance-data.ec2.internal/", "https://intranet/", "https://db.corp/",
    "https://router.lan/", "https://nas.home.arpa/", "https://kubernetes.default.svc.cluster.local/",
    "https://1.0.0.127.in-addr.arpa/", "https://x.onion/", "https://shop.test/",
    # characters that stand for others
    "https://①②⑦.⓪.⓪.①/", "https://１２７.0.0.1/", "https://127。0。0。1/", "https://127．0．0．1/",
    "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "https://localhost。/", "https://loc\u00adalhost/", "https://local\u200bhost/",
    "https://ｌocalhost/", "https://example.com\u2044@127.0.0.1/", "https://169.254.169.254\u3002/",
    # percent-encoding, users, backslashes, white space, fragments
    "https://127.0.0.1%2f.example.com/", "https://%31%32%37.0.0.1/", "https://%6c%6f%63alhost/",
    "https://shop.example.com%00.internal/", "https://shop.example.com@127.0.0.1/", "https://a:b@shop.example.com/",
    "https://@shop.example.com/", "https://:@shop.example.com/", "https://127.0.0.1\\@shop.example.com/",
    "https://shop.example.com\\.internal/", "https:\\\\127.0.0.1/", "https://shop.example.com/a\\b",
    "https://127.0.0.1\t/", "https://127.0.\n0.1/", "ht\ntps://shop.example.com/", " https://shop.example.com/",
    "https://shop.example.com/\r\nHost: x", "https://shop.example.com/\u2028", "https://shop.example.com/\x00",
    "https://shop.example.com/ a", "https://shop.example.com/\u202e", "https://shop.example.com#@127.0.0.1/",
    "https://shop.example.com/#top", "https://127.0.0.1#shop.example.com/", "https://127.0.0.1?shop.example.com/",
    # schemes
    "http://shop.example.com/", "HTTP://shop.example.com/", "ftp://shop.example.com/", "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_x", "data:text/html,x", "javascript://shop.example.com/", "//shop.example.com/",
    "https:shop.example.com/", "https:/shop.example.com/", "https:///127.0.0.1/", "unix:///var/run/docker.sock",
    "jar:https://shop.example.com!/", "ws://shop.example.com/", "https", "",
    # hosts that are none
    "https://", "https:///mcp", "https://./", "https://../", "https://.shop.example.com/", "https://shop..example.com/",
    "https://shop.example.com./", "https://-shop.example.com/", "https://shop!.example.com/", "https://sh op.com/",
    "https://shop,example.com/", "https://" + "a" * 64 + ".example.com/", "https://" + "a." * 130 + "com/",
    "https://shop.example.com/" + "x" * 8000, "https://*.example.com/", "https://shop.example.com|127.0.0.1/",
    # ports
    "https://shop.example.com:0/", "https://shop.example.com:22/", "https://shop.example.com:25/",
    "https://shop.example.com:587/", "https://shop.example.com:6667/", "https://shop.example.com:99999/",
    "https://shop.example.com:4 43/", "https://shop.example.com:-1/", "https://shop.example.com:443:80/",
    "https://shop.example.com:/", "https://shop.example.com:４４３/", "https://shop.example.com:0x1bb/",
    "https://127.0.0.1:80@shop.example.com:443/",
]  # fmt: skip


@pytest.mark.parametrize("url", TRICKS)
def test_a_trick_is_refused_before_anything_is_looked_up(url: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(url, allow_private=False)


ODD = ("2130706433", "0x7f.1", "0177.0.0.1", "127.1", "①②⑦.⓪.⓪.①", "a:b@127.0.0.1", "127.0.0.1\t", "[fe80::1%25eth0]")


@pytest.mark.parametrize("host", ODD)
def test_an_odd_spelling_is_refused_on_the_local_stack_too(host: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(f"http://{host}/mcp", allow_private=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example.com/mcp", "HTTPS://Shop.Example.COM/mcp", "https://shop.example.com:443/", "https://a.co",
        "https://shop.example.com:8443/mcp?team=a&b=c", "https://my_shop.example.com/", "https://müller.de/mcp",
        "https://пример.рф/", "https://例え.jp/", "https://xn--mller-kva.de/", "https://shop.example.com/päth/日本",
        "https://localhost.example.com/", "https://internal.example.com/", "https://3com.com/", "https://1.1.1.1.example.com/",
        "https://shop.example.com?x=1", "https://a--b.example.com/~user/(x);y=1,2",
    ],
)  # fmt: skip
def test_an_address_of_the_open_internet_is_allowed(url: str) -> None:
    check_url(url, allow_private=False)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://shop.example.com/mcp", "https"),
        ("shop.example.com/mcp", "https"),
        ("https:///mcp", "no host"),
        ("https://user:pw@shop.example.com/mcp", "user or password"),
        ("https://shop.example.com:99999/mcp", "no URL"),
        ("https://[::1/mcp", "no URL"),
        ("https://shop.example.com/a b", "white space"),
        ("https://shop.example.com/a\x7f\x00", "control character"),
        ("https://shop.example.com\\@x/", "backslash"),
        ("https://shop.example.com/#x", "fragment"),
        ("https://127.1/", "odd spelling"),
        ("https://①.example.com/", "stand for others"),
        ("https://shop.example.com./", "dot"),
        ("https://shop.example.com:25/", "port 25"),
        ("https://intranet/", "no full name"),
        ("https://vault.internal/", "inside a network"),
    ],
)
def test_an_address_that_no_tenant_may_name_is_explained(url: str, reason: str) -> None:
    with pytest.raises(AddressRefused, match=reason):
        check_url(url, allow_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "https://user:hunter2@h.example.com/", "ftp://h.example.com/?api_key=hunter2", "hunter2@h.example.com",
        "http://h.example.com/?api_key=hunter2", "https://h.example.com:25/?api_key=hunter2", "?hunter2",
        "https://h.example.com/?api_key=hunter2#x", "https://h.example.com/\n?hunter2", "//u:hunter2@h.example.com/",
        "https://u:hunter2@127.0.0.1\\/",
    ],
)  # fmt: skip
def test_a_refusal_repeats_no_secret_of_the_address(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        check_url(url, allow_private=False)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8930/mcp", "http://localhost:1/", "https://[::1]/", "http://host.docker.internal/", "http://10.0.0.7:22/"]
)  # fmt: skip
def test_the_local_stack_may_use_plain_http_and_this_machine(url: str) -> None:
    check_url(url, allow_private=True)


@pytest.mark.parametrize("address", ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "fe80::1", "224.0.0.1", "0.0.0.0", "::", "255.255.255.255"])  # fmt: skip
def test_the_cloud_s_metadata_is_refused_on_the_local_stack_too(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=True)
