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
	maxManifest  = 4 << 20
	maxStatement = 32 << 10
	maxLifetime  = 366 * 24 * time.Hour
)

// TrustedKeys are the keys of publishers; with none, signatures are not checked.
type TrustedKeys struct{ manifest, current []ed25519.PublicKey }

// ParseKeys reads PEM blocks PUBLIC KEY, each perhaps with a line "use: manifest" or "use: current" above it.
func ParseKeys(text []byte) (*TrustedKeys, error) {
	keys := &TrustedKeys{}
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			break
		}
		remarks := string(text[:bytes.Index(text, []byte("-----BEGIN"))])
		parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
		key, ok := parsed.(ed25519.PublicKey)
		if err != nil || !ok {
			return nil, errors.New("not an Ed25519 public key")
		}
		use := regexp.MustCompile(`(?m)^[# \t]*use:[ \t]*(\S*)[ \t\r]*$`).FindStringSubmatch(remarks)
		if use == nil || use[1] == "manifest" {
			keys.manifest = append(keys.manifest, key)
		}
		if use == nil || use[1] == "current" {
			keys.current = append(keys.current, key)
		}
		text = rest
	}
	if len(keys.manifest) == 0 || len(keys.current) == 0 {
		return nil, errors.New("no Ed25519 key for manifests, or none for statements")
	}
	return keys, nil
}

func verified(keys []ed25519.PublicKey, text []byte, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(signature), ""))
	for _, key := range keys {
		if err == nil && ed25519.Verify(key, text, raw) {
			return true
		}
	}
	return false
}

// Manifest has the members of manifest.json that a reader of filters needs.
type Manifest struct {
	FormatVersion        int
	CanonicalFormVersion int
	Layer, Generation    string
	Filters              []struct {
		Kind, File, Seed, Layout              string
		Lines, BitsPerKey, Inserted, Capacity uint64
	}
	Files []struct {
		Path      string
		SizeBytes int64
		Sha256    string
	}
}

var seal = regexp.MustCompile(`"sha256" : "([0-9a-f]{64})"\s*\}\s*$`)

// ParseManifest checks the bytes of a manifest and, with keys, of its signature.
func ParseManifest(data, signature []byte, keys *TrustedKeys) (*Manifest, error) {
	if keys != nil && (len(signature) > 256 || !verified(keys.manifest, data, string(signature))) {
		return nil, errors.New("manifest.json.sig: not the signature of manifest.json by a trusted key")
	}
	at := seal.FindSubmatchIndex(data)
	if at == nil || len(data) > maxManifest {
		return nil, errors.New("manifest.json: does not end with its own SHA-256")
	}
	zeros := append([]byte{}, data...)
	copy(zeros[at[2]:at[3]], strings.Repeat("0", 64))
	if sha256Hex(zeros) != string(data[at[2]:at[3]]) {
		return nil, errors.New("manifest.json: its SHA-256 is not the one in its last field")
	}
	manifest := &Manifest{}
	if err := json.Unmarshal(data, manifest); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	if manifest.FormatVersion != FormatVersion || manifest.CanonicalFormVersion != CanonicalForm {
		return nil, fmt.Errorf("manifest.json: format version %d, canonical form %d", manifest.FormatVersion,
			manifest.CanonicalFormVersion)
	}
	return manifest, nil
}

// Filter opens the filter of a kind, whose bytes read returns, after comparing them with the manifest. It returns nil if
// the layer has no key of the kind.
func (m *Manifest) Filter(kind string, read func(path string) ([]byte, error)) (*Filter, error) {
	for _, entry := range m.Filters {
		if entry.Kind != kind {
			continue
		}
		path := kind + ".bloom"
		data, err := read(path)
		if err != nil {
			return nil, err
		}
		digest := ""
		for _, file := range m.Files {
			if file.Path == path && file.SizeBytes == int64(len(data)) {
				digest = file.Sha256
			}
		}
		if entry.File != path || digest != sha256Hex(data) {
			return nil, fmt.Errorf("%s: SHA-256 does not match the manifest", path)
		}
		f, err := New(data, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if fmt.Sprintf("%016x", f.seed) != entry.Seed || f.lines != entry.Lines || f.k != entry.BitsPerKey ||
			f.Inserted != entry.Inserted || f.capacity != entry.Capacity || (f.fuse != nil) != (entry.Layout == "line-fuse") {
			return nil, fmt.Errorf("%s: header and manifest differ", path)
		}
		return f, nil
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

const timeForm = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`

var (
	head = regexp.MustCompile(`^(bloomgate-current 1\ncounter ([1-9][0-9]{0,17})\nexpires (` + timeForm +
		`)\n((?:layer [^\n]*\n)*))(?:signature ed25519 ([A-Za-z0-9+/=]{88})\n)?$`)
	layerForm = regexp.MustCompile(`^layer ([a-z0-9][a-z0-9-]{0,62}) (\d{8}T\d{6}Z-[0-9a-f]{4}) ([0-9a-f]{64}) (` + timeForm +
		`|-)$`)
)

// ParseStatement checks a statement, and its signature if there are keys. The caller keeps the highest counter that it
// accepted, and rejects a lower one.
func ParseStatement(data []byte, keys *TrustedKeys, now time.Time) (*Statement, error) {
	form := head.FindSubmatch(data)
	if form == nil || len(data) > maxStatement {
		return nil, errors.New("announced: not what a publisher writes")
	}
	if keys != nil && !verified(keys.current, form[1], string(form[5])) {
		return nil, errors.New("announced: no signature by a trusted key")
	}
	expires, err := time.Parse(time.RFC3339, string(form[3]))
	if err != nil || expires.After(now.Add(maxLifetime)) || now.After(expires) {
		return nil, fmt.Errorf("announced: expires at %s", form[3])
	}
	counter, _ := strconv.ParseUint(string(form[2]), 10, 64)
	statement := &Statement{Counter: counter, Expires: expires}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(string(form[4]), "\n"), "\n") {
		layer := layerForm.FindStringSubmatch(line)
		if line == "" {
			continue
		}
		if layer == nil || seen[layer[1]] || len(seen) == 16 {
			return nil, errors.New("announced: not what a publisher writes")
		}
		seen[layer[1]] = true
		statement.Layers = append(statement.Layers, CurrentGeneration{layer[1], layer[2], layer[3]})
	}
	return statement, nil
}

// Matches reports whether these are the bytes of the manifest of the generation.
func (g CurrentGeneration) Matches(manifest []byte) bool {
	return g.ManifestSha256 == sha256Hex(manifest)
}

func sha256Hex(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
