package filter

import (
	"crypto/sha1"
	"errors"
	"net/netip"
	"regexp"
	"strings"
)

const octet = `(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`

var (
	nameForm  = regexp.MustCompile(`^(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9_-]{0,62}$`)
	ipv4Form  = regexp.MustCompile(`^(?:` + octet + `\.){3}` + octet + `$`)
	localForm = regexp.MustCompile(`^[a-z0-9._-]{1,64}$`)
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
)

// Keys returns the keys under which a value may be listed, the value itself first. All that needs the full canonical form
// (names beyond ASCII, quoted local parts, tags, rewritten senders) is an error. A password is any bytes.
func Keys(kind, value string) ([][]byte, error) {
	switch kind {
	case "password":
		digest := sha1.Sum([]byte(value))
		return [][]byte{digest[:]}, check(rule{value != "", "an empty password"})
	case "address":
		local, domain, _ := strings.Cut(value, "@")
		return [][]byte{[]byte(value)}, check(
			rule{localForm.MatchString(local), "not a lower-case local part of letters, digits, '.', '_' and '-'"},
			rule{isName(domain), "the domain of the address is not a lower-case name"},
			rule{domain != "gmail.com" && domain != "googlemail.com", domain + " ignores dots: needs the full canonical form"})
	case "domain":
		if strings.ContainsAny(value, ":[") {
			return ipv6Key(value)
		}
		return nameKeys(strings.TrimSuffix(lowerASCII(value), "."))
	}
	return nil, errors.New("no rule for values of this kind: ask for canonical keys")
}

func isName(name string) bool { return len(name) <= 253 && nameForm.MatchString(name) }

func nameKeys(name string) ([][]byte, error) {
	keys := [][]byte{[]byte(name)}
	if ipv4Form.MatchString(name) {
		isLocal := strings.HasPrefix(name, "0.") || strings.HasPrefix(name, "127.")
		return keys, check(rule{!isLocal, "unspecified or loopback address"})
	}
	for _, parent, _ := strings.Cut(name, "."); strings.Contains(parent, "."); _, parent, _ = strings.Cut(parent, ".") {
		keys = append(keys, []byte(parent))
	}
	return keys, check(rule{isName(name), "neither an ASCII host name of two labels or more nor an IP address"})
}

func ipv6Key(value string) ([][]byte, error) {
	literal := value
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		literal = value[1 : len(value)-1]
	}
	address, err := netip.ParseAddr(literal)
	return [][]byte{[]byte("[" + address.String() + "]")}, check(
		rule{err == nil && !strings.ContainsAny(literal, ".%"), "not a plain IPv6 address"},
		rule{!address.IsUnspecified() && !address.IsLoopback(), "unspecified or loopback address"},
		rule{!address.Is4In6() && !nat64.Contains(address), "an IPv4 address within an IPv6 address"})
}

// lowerASCII leaves letters beyond ASCII, some of which have an ASCII letter in lower case.
func lowerASCII(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, text)
}
