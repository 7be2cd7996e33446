"""Public and private IP addresses: the protection against SSRF."""

import ipaddress

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_DOCUMENTATION = ipaddress.IPv6Network("3fff::/20")  # RFC 9637, not yet known to every Python version
# Not public, although `is_global` is true on some Python versions; the last is Azure's host endpoint.
_SPECIAL = tuple(map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/3", "168.63.129.16/32")))


def is_public(address: str) -> bool:
    """Whether an IP address, and any IPv4 address embedded in it, is public.

    >>> is_public("1.1.1.1"), is_public("169.254.169.254"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not any(ip in network for network in _SPECIAL)
    if ip.ipv4_mapped or ip in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    # 6to4 is deprecated (RFC 7526), and Python versions disagree about it.
    return ip.is_global and not ip.sixtofour and ip in _GLOBAL_UNICAST and ip not in _DOCUMENTATION
