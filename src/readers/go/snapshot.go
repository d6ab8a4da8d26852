package filter

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	maxManifest, maxStatement = 4 << 20, 32 << 10
	maxLifetime               = 366 * 24 * time.Hour
	timeForm                  = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
)

var (
	use  = regexp.MustCompile(`(?m)^[# \t]*use:[ \t]*(\S*)[ \t\r]*$`)
	seal = regexp.MustCompile(`"sha256" : "([0-9a-f]{64})"\s*\}\s*$`)
	head = regexp.MustCompile(`^(bloomgate-current 1\ncounter ([1-9][0-9]{0,17})\nexpires (` + timeForm +
		`)\n((?:layer [^\n]*\n){0,16}))(?:signature ed25519 ([A-Za-z0-9+/=]{88})\n)?$`)
	layerForm = regexp.MustCompile(`^layer ([a-z0-9][a-z0-9-]{0,62}) (\d{8}T\d{6}Z-[0-9a-f]{4}) ([0-9a-f]{64}) (` + timeForm +
		`|-)\n$`)
)

// TrustedKeys are the keys of publishers. Where a function takes nil, signatures are not checked.
type TrustedKeys struct{ manifest, current []ed25519.PublicKey }

// ParseKeys reads PEM blocks PUBLIC KEY, each perhaps with a line "use: manifest" or "use: current" above it.
func ParseKeys(text []byte) (*TrustedKeys, error) {
	keys := &TrustedKeys{}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(text) {
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		key, ok := parsed.(ed25519.PublicKey)
		if err != nil || !ok {
			return nil, errors.New("not an Ed25519 public key")
		}
		remark := use.FindSubmatch(text[:bytes.Index(text, []byte("-----BEGIN"))])
		if remark == nil || string(remark[1]) == "manifest" {
			keys.manifest = append(keys.manifest, key)
		}
		if remark == nil || string(remark[1]) == "current" {
			keys.current = append(keys.current, key)
		}
		text = rest
	}
	return keys, check(rule{len(keys.manifest) > 0 && len(keys.current) > 0, "no Ed25519 key for manifests, or none for statements"})
}

func isVerified(keys []ed25519.PublicKey, text []byte, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(signature), ""))
	verified := false
	for _, key := range keys {
		verified = verified || err == nil && ed25519.Verify(key, text, raw)
	}
	return verified
}

// Manifest has the members of manifest.json that a reader of filters needs.
type Manifest struct {
	FormatVersion, CanonicalFormVersion int
	Layer, Generation                   string
	Filters                             []struct {
		Kind, File, Seed, Layout              string
		Lines, BitsPerKey, Inserted, Capacity uint64
	}
	Files []struct{ Path, Sha256 string }
}

// ParseManifest checks the bytes of a manifest and, with keys, of its signature.
func ParseManifest(data, signature []byte, keys *TrustedKeys) (*Manifest, error) {
	at := seal.FindSubmatchIndex(data)
	if at == nil || len(data) > maxManifest {
		return nil, errors.New("manifest.json: does not end with its own SHA-256")
	}
	zeros := bytes.Join([][]byte{data[:at[2]], bytes.Repeat([]byte("0"), 64), data[at[3]:]}, nil)
	isSigned := keys == nil || len(signature) <= 256 && isVerified(keys.manifest, data, string(signature))
	if err := check(
		rule{isSigned, "manifest.json.sig: not the signature of manifest.json by a trusted key"},
		rule{sha256Hex(zeros) == string(data[at[2]:at[3]]), "manifest.json: its SHA-256 is not the one in its last field"},
	); err != nil {
		return nil, err
	}
	manifest := &Manifest{}
	if err := json.Unmarshal(data, manifest); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	isKnown := manifest.FormatVersion == FormatVersion && manifest.CanonicalFormVersion == CanonicalForm
	return manifest, check(rule{isKnown, "manifest.json: another format version or canonical form"})
}

// Filter opens the filter of a kind, whose bytes read returns, after comparing them with the manifest. It returns nil if
// the layer has no key of the kind.
func (m *Manifest) Filter(kind string, read func(path string) ([]byte, error)) (*Filter, error) {
	for _, entry := range m.Filters {
		if entry.Kind != kind {
			continue
		}
		path, digest := kind+".bloom", ""
		for _, file := range m.Files {
			if file.Path == path && entry.File == path {
				digest = file.Sha256
			}
		}
		data, err := read(path)
		if err != nil {
			return nil, err
		}
		if digest != sha256Hex(data) {
			return nil, fmt.Errorf("%s: SHA-256 does not match the manifest", path)
		}
		f, err := New(data, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		isSame := fmt.Sprintf("%016x", f.seed) == entry.Seed && f.lines == entry.Lines && f.k == entry.BitsPerKey &&
			f.Inserted == entry.Inserted && f.capacity == entry.Capacity && (f.fuse != nil) == (entry.Layout == "line-fuse")
		return f, check(rule{isSame, path + ": header and manifest differ"})
	}
	return nil, nil
}

// Statement says which generations of a publisher are current.
type Statement struct {
	Counter uint64
	Expires time.Time
	Layers  []CurrentGeneration
}

// CurrentGeneration is that of one layer.
type CurrentGeneration struct{ Layer, Generation, ManifestSha256 string }

// ParseStatement checks a statement, and its signature if there are keys. The caller keeps the highest counter that it
// accepted, and rejects a lower one.
func ParseStatement(data []byte, keys *TrustedKeys, now time.Time) (*Statement, error) {
	form := head.FindSubmatch(data)
	if form == nil || len(data) > maxStatement {
		return nil, errors.New("announced: not what a publisher writes")
	}
	expires, err := time.Parse(time.RFC3339, string(form[3]))
	counter, _ := strconv.ParseUint(string(form[2]), 10, 64)
	statement, seen := &Statement{Counter: counter, Expires: expires}, map[string]bool{}
	for _, line := range strings.SplitAfter(string(form[4]), "\n") {
		if layer := layerForm.FindStringSubmatch(line); layer != nil && !seen[layer[1]] {
			seen[layer[1]] = true
			statement.Layers = append(statement.Layers, CurrentGeneration{layer[1], layer[2], layer[3]})
		}
	}
	return statement, check(
		rule{keys == nil || isVerified(keys.current, form[1], string(form[5])), "announced: no signature by a trusted key"},
		rule{err == nil && !now.After(expires) && !expires.After(now.Add(maxLifetime)), "announced: expired, or for too long"},
		rule{len(statement.Layers) == bytes.Count(form[4], []byte("\n")), "announced: not what a publisher writes"})
}

// Matches reports whether these are the bytes of the manifest of the generation.
func (g CurrentGeneration) Matches(manifest []byte) bool {
	return g.ManifestSha256 == sha256Hex(manifest)
}

func sha256Hex(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
