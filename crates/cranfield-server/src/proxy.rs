//! The address that a request comes from, also behind proxies.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};

/// Addresses of proxies whose `X-Forwarded-For` is believed, such as `127.0.0.1` or `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy {
    network: IpAddr,
    bits: u32,
}

impl FromStr for Proxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is neither an address nor a network such as 10.0.0.0/8");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let network: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if network.is_ipv4() { 32 } else { 128 };
        let bits = bits.unwrap_or(most);
        if bits > most {
            return Err(wrong());
        }
        Ok(Self { network, bits })
    }
}

impl Proxy {
    fn has(self, address: IpAddr) -> bool {
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let differ = network.to_bits() ^ address.to_bits();
                differ.checked_shr(32 - self.bits).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let differ = network.to_bits() ^ address.to_bits();
                differ.checked_shr(128 - self.bits).unwrap_or(0) == 0
            }
            _ => false,
        }
    }
}

/// Who sent a request, for limits: the address of the connection, or behind trusted proxies the last address in `X-Forwarded-For` that is not
/// one of them. Of an address of version 6, the network of 64 bits counts, because one computer may have all of it.
pub(crate) fn sender(peer: SocketAddr, headers: &HeaderMap, trusted: &[Proxy]) -> String {
    let is_trusted = |address| trusted.iter().any(|proxy| proxy.has(address));
    let mut sender = peer.ip().to_canonical();
    if is_trusted(sender) {
        let name = HeaderName::from_static("x-forwarded-for");
        let values = headers.get_all(name).iter().rev();
        let values = values.filter_map(|value| value.to_str().ok());
        for forwarded in values.flat_map(|value| value.rsplit(',')) {
            let Ok(address) = forwarded.trim().parse::<IpAddr>() else {
                break;
            };
            sender = address.to_canonical();
            if !is_trusted(sender) {
                break;
            }
        }
    }
    match sender {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            format!("{}/64", std::net::Ipv6Addr::from_bits(network))
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of(peer: &str, forwarded: &[&'static str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_static(value));
        }
        let trusted =
            ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map(|text| text.parse().expect("a network"));
        sender(peer.parse().expect("an address"), &headers, &trusted)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(of("9.9.9.9:1", &["1.2.3.4"]), "9.9.9.9");
        assert_eq!(of("127.0.0.1:1", &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(of("[::ffff:127.0.0.1]:1", &["1.2.3.4"]), "1.2.3.4");
        // What the client sent itself stands on the left.
        assert_eq!(of("127.0.0.1:1", &["6.6.6.6, 1.2.3.4"]), "1.2.3.4");
        assert_eq!(
            of("127.0.0.1:1", &["6.6.6.6", "1.2.3.4, 10.1.1.1"]),
            "1.2.3.4"
        );
        assert_eq!(of("127.0.0.1:1", &["nonsense"]), "127.0.0.1");
        assert_eq!(of("127.0.0.1:1", &[]), "127.0.0.1");
    }

    #[test]
    fn a_network_of_version_6_is_one_sender() {
        assert_eq!(of("[2001:db8:1:2:3::4]:1", &[]), "2001:db8:1:2::/64");
        assert_eq!(of("[fd00::1]:1", &["2001:db8::9"]), "2001:db8::/64");
    }

    #[test]
    fn networks_are_checked() {
        for wrong in ["", "a", "1.2.3.4/33", "::/129", "1.2.3.4/x", "1.2.3.4/"] {
            assert!(wrong.parse::<Proxy>().is_err(), "{wrong}");
        }
        let all: Proxy = "0.0.0.0/0".parse().expect("a network");
        assert!(all.has(IpAddr::from([8, 8, 8, 8])));
    }
}
