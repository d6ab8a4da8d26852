package filter

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"math/bits"
	"net/netip"
	"regexp"
	"strings"
)

func mulhi(x, y uint64) uint64 {
	high, _ := bits.Mul64(x, y)
	return high
}

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
		if value == "" {
			return nil, errors.New("an empty password")
		}
		digest := sha1.Sum([]byte(value))
		return [][]byte{digest[:]}, nil
	case "address":
		local, domain, _ := strings.Cut(value, "@")
		if !localForm.MatchString(local) || !isName(domain) {
			return nil, errors.New("not a lower-case address of letters, digits, '.', '_' and '-' at a lower-case name")
		}
		if domain == "gmail.com" || domain == "googlemail.com" {
			return nil, fmt.Errorf("%s ignores dots: needs the full canonical form", domain)
		}
		return [][]byte{[]byte(value)}, nil
	case "domain":
		return domainKeys(value)
	}
	return nil, fmt.Errorf("no rule for values of kind %q: ask for canonical keys", kind)
}

func isName(name string) bool {
	return len(name) <= 253 && nameForm.MatchString(name)
}

func domainKeys(value string) ([][]byte, error) {
	if strings.ContainsAny(value, ":[") {
		return ipv6Key(value)
	}
	name := strings.TrimSuffix(lowerASCII(value), ".")
	if ipv4Form.MatchString(name) {
		if strings.HasPrefix(name, "0.") || strings.HasPrefix(name, "127.") {
			return nil, errors.New("unspecified or loopback address")
		}
		return [][]byte{[]byte(name)}, nil
	}
	if !isName(name) {
		return nil, errors.New("neither an ASCII host name of two labels or more nor an IP address")
	}
	keys := [][]byte{[]byte(name)}
	for parent := name[strings.IndexByte(name, '.')+1:]; strings.Contains(parent, "."); {
		keys = append(keys, []byte(parent))
		parent = parent[strings.IndexByte(parent, '.')+1:]
	}
	return keys, nil
}

func ipv6Key(value string) ([][]byte, error) {
	literal := value
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		literal = value[1 : len(value)-1]
	}
	address, err := netip.ParseAddr(literal)
	switch {
	case err != nil || strings.ContainsAny(literal, ".%"):
		return nil, errors.New("not a plain IPv6 address")
	case address.IsUnspecified() || address.IsLoopback():
		return nil, errors.New("unspecified or loopback address")
	case address.Is4In6() || nat64.Contains(address):
		return nil, errors.New("an IPv4 address within an IPv6 address")
	}
	return [][]byte{[]byte("[" + address.String() + "]")}, nil
}

// lowerASCII leaves letters beyond ASCII, some of which have an ASCII letter in lower case.
func lowerASCII(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
}
