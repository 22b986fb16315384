"""ristretto255 as RFC 9496 writes it down, in plain numbers. Not in constant time: for tests alone."""
from __future__ import annotations

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ, D_MINUS_ONE_SQ = (1 - D * D) % P, (D - 1) ** 2 % P

Point = tuple[int, int, int, int]  # x, y, z, t
IDENTITY: Point = (0, 1, 1, 0)


def _negative(value: int) -> bool:
    return value % P % 2 == 1


def _absolute(value: int) -> int:
    return -value % P if _negative(value) else value % P


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Section 4.2: whether u / v is a square, and the root of it, or of it times the root of -1."""
    root = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    check = v * root * root % P
    flipped = check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        root = root * SQRT_M1 % P
    return check == u % P or flipped, _absolute(root)


def decode(data: bytes) -> Point | None:
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or _negative(s):
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = _sqrt_ratio(1, v * u2 * u2 % P)
    x, y = _absolute(2 * s * inverse * u2), u1 * inverse * inverse * u2 * v % P
    t = x * y % P
    return None if not square or _negative(t) or y == 0 else (x, y, 1, t)


def encode(point: Point) -> bytes:
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = _sqrt_ratio(1, u1 * u2 * u2 % P)
    first, second = inverse * u1 % P, inverse * u2 % P
    z_inverse = first * second * t % P
    if _negative(t * z_inverse):
        x, y, second = y * SQRT_M1 % P, x * SQRT_M1 % P, first * INVSQRT_A_MINUS_D % P
    if _negative(x * z_inverse):
        y = -y
    return _absolute(second * (z - y)).to_bytes(32, "little")


def _map(data: bytes) -> Point:
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * ONE_MINUS_D_SQ % P, (-1 - r * D) * (r + D) % P
    square, s = _sqrt_ratio(u, v)
    c = -1
    if not square:
        s, c = -_absolute(s * t) % P, r
    n = (c * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def from_hash(data: bytes) -> Point:
    """The element that 64 bytes are mapped to."""
    assert len(data) == 64
    return add(_map(data[:32]), _map(data[32:]))


def add(one: Point, other: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b, c, d = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2), 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar: int, point: Point) -> Point:
    product = IDENTITY
    for bit in bin(scalar % ORDER)[2:]:
        product = add(product, product)
        if bit == "1":
            product = add(product, point)
    return product
