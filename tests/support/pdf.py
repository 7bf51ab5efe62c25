"""PDFs made by hand: a page of lines, and the nasty ones."""

import zlib


def pdf(*objects: bytes) -> bytes:
    """A file of these objects, the first of them its catalogue."""
    out, places = b"%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def page(content: bytes, filters: bytes = b"") -> bytes:
    """A file of one page with this content stream."""
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def lines(*texts: str) -> bytes:
    """A page that says this."""
    shown = (f"BT /F1 12 Tf 40 {700 - 20 * n} Td ({text}) Tj ET" for n, text in enumerate(texts))
    return page("\n".join(shown).encode("latin-1"))


def bomb(times: int = 1) -> bytes:
    """A page whose content stream is small and unpacks to a gigabyte."""
    content = zlib.compress(b" " * 1_000_000_000, 9)
    for _ in range(times - 1):
        content = zlib.compress(content, 9)
    return page(content, b"/Filter [%s]" % b" ".join([b"/FlateDecode"] * times))


def endless() -> bytes:
    """A page that draws two million texts."""
    return page(zlib.compress(b"BT /F1 12 Tf 10 100 Td (x) Tj ET\n" * 2_000_000, 9), b"/Filter /FlateDecode")
