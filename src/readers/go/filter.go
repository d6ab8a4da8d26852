// Package filter reads filter files and snapshots of Bloomgate, as docs/formats.md describes them.
//
// "Maybe" (true) means that only Bloomgate itself (POST /v1/check) knows; "absent" (false) is certain. What this package
// does not understand is an error, never "absent". A Filter is safe for concurrent use.
package filter

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
)

// Versions that this package reads: of the keys and of snapshots.
const CanonicalForm, FormatVersion = 2, 2

// Kinds has the code of each kind of key.
var Kinds = map[string]uint64{"address": 1, "domain": 2, "url": 3, "password": 4, "hash": 5, "keyword": 6,
	"domain-sha1": 9, "address-sha1": 10, "phone": 11}

const (
	magic                   = "\x89BGF\r\n\x1a\n"
	headerBytes, chunkBytes = 4096, 64 << 20
	second, places          = 0xb7e151628aed2a6b, 0x243f6a8885a308d3
	step                    = 0x9e3779b97f4a7c15
)

// Filter is an open filter file.
type Filter struct {
	Kind                     string
	Inserted                 uint64 // keys in it
	data                     []byte
	seed, lines, k, capacity uint64
	fuse                     *fuse
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func crc32c(data []byte) uint64 { return uint64(crc32.Checksum(data, castagnoli)) }

// rule is something that holds in every file that this package understands.
type rule struct {
	holds bool
	fault string
}

func check(rules ...rule) error {
	for _, rule := range rules {
		if !rule.holds {
			return errors.New(rule.fault)
		}
	}
	return nil
}

// Open reads a file of a kind whole into memory and checks all of it.
func Open(path, kind string) (*Filter, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return New(data, kind)
}

// New opens the bytes of a file of a kind after checking all of them. It keeps the slice.
func New(data []byte, kind string) (*Filter, error) {
	if len(data) < headerBytes || string(data[:8]) != magic {
		return nil, errors.New("not a filter file: too short, or wrong magic")
	}
	version, largest := u32(data, 8), uint64(1)<<52
	f := &Filter{Kind: kind, Inserted: u64(data, 56), data: data, seed: u64(data, 32), lines: u64(data, 40),
		k: u32(data, 48), capacity: u64(data, 64)}
	if version == 2 {
		largest = 1 << 36
	}
	rate, canaries, chunks := math.Float64frombits(u64(data, 72)), int(u32(data, 52)), u32(data, 108)
	code, isKind := Kinds[kind]
	if err := check(
		rule{version == 1 || version == 2, "format version is unknown"},
		rule{u32(data, 12) == headerBytes, "wrong header length"},
		rule{u32(data, headerBytes-4) == crc32c(data[:headerBytes-4]), "header checksum does not match"},
		rule{u32(data, 16) == version, "layout of another version"},
		rule{u32(data, 20) == 1, "hash is unknown"},
		rule{u32(data, 24) == CanonicalForm, "another canonical form"},
		rule{isKind && u32(data, 28) == code, "not of kind " + kind},
		rule{rate > 0 && rate < 1, "rate out of range"},
		rule{f.lines >= 1 && f.lines <= 1<<46 && f.capacity <= largest, "lines or capacity out of range"},
		rule{f.k >= 1 && f.k <= 32 && (version == 2 || f.k%2 == 0), "k out of range"},
		rule{canaries <= 4, "too many canaries"},
		rule{f.Inserted <= math.MaxInt64 && u64(data, 80) <= f.lines*512, "counts out of range"},
	); err != nil {
		return nil, err
	}
	length := f.lines * 64
	if version == 2 {
		f.fuse = newFuse(f.capacity, headerBytes+length)
		length += f.fuse.length()
	}
	if err := check(
		rule{f.fuse == nil || f.lines%f.fuse.shards == 0, "not as many lines for each shard"},
		rule{u64(data, 96) == length, "lines and capacity make another length of the body"},
		rule{uint64(len(data)) == headerBytes+length, fmt.Sprintf("file of %d bytes instead of %d", len(data), headerBytes+length)},
		rule{u32(data, 104) == chunkBytes && chunks == (length+chunkBytes-1)/chunkBytes && chunks <= 740, "wrong chunks"},
	); err != nil {
		return nil, err
	}
	for i := 0; i < int(chunks); i++ {
		chunk := data[headerBytes+i*chunkBytes:]
		if len(chunk) > chunkBytes {
			chunk = chunk[:chunkBytes]
		}
		if u32(data, 112+4*i) != crc32c(chunk) {
			return nil, fmt.Errorf("checksum of chunk %d does not match", i)
		}
	}
	for at := 3072; at < 3072+252*canaries; at += 252 {
		if data[at] > 251 || !f.MightContain(data[at+1:at+1+int(data[at])]) {
			return nil, errors.New("a canary is too long, or absent: keys were inserted with another hash")
		}
	}
	return f, nil
}

// MightContain reports whether a canonical key may have been inserted; false is certain.
func (f *Filter) MightContain(key []byte) bool {
	h := Hash(key, f.seed)
	if f.fuse != nil {
		return f.hasBits(h, f.k) && f.fuse.mightContain(f.data, h)
	}
	return f.hasBits(h, f.k/2) && f.hasBits(fold(h, second), f.k/2)
}

// MightContainValue reports the same for any key of a value. A value without a plain canonical form is an error.
func (f *Filter) MightContainValue(value string) (bool, error) {
	keys, err := Keys(f.Kind, value)
	maybe := false
	for i := 0; err == nil && i < len(keys) && !maybe; i++ {
		maybe = f.MightContain(keys[i])
	}
	return maybe, err
}

func (f *Filter) hasBits(word, bits uint64) bool {
	at := headerBytes + mulhi(word, f.lines)*64
	line := f.data[at : at+64]
	p := fold(word, places)
	for i := uint64(0); i < bits; i++ {
		if i > 0 && i%7 == 0 {
			word += step
			p = fold(word, places)
		}
		if line[p>>3&63]>>(p&7)&1 == 0 {
			return false
		}
		p >>= 9
	}
	return true
}

// fuse is the shape of the binary fuse filters behind the lines, one for each 2^20 keys.
type fuse struct{ shards, piece, first, start uint64 }

func newFuse(keys, start uint64) *fuse {
	shards := (keys + 1<<20 - 1) >> 20
	most := float64(keys)
	if shards == 0 {
		shards = 1
	} else if shards > 1 {
		mean := most / float64(shards)
		most = math.Ceil(mean + 7*math.Sqrt(mean))
	}
	log := math.Log(math.Max(2, most))
	exponent := log/math.Log(3.33) + 2.25
	if most < 1<<19 {
		exponent--
	}
	piece := uint64(1) << uint(exponent)
	pieces := math.Ceil(math.Max(1.125, 0.875+0.25*13.815510557964274/log)*most/float64(piece)) - 2
	return &fuse{shards, piece, uint64(math.Max(1, pieces)) * piece, start}
}

func (f *fuse) table() uint64  { return (f.shards + 63) / 64 * 64 }
func (f *fuse) shard() uint64  { return 2 * (f.first + 2*f.piece) }
func (f *fuse) length() uint64 { return f.table() + f.shards*f.shard() }

func (f *fuse) mightContain(data []byte, h uint64) bool {
	shard := mulhi(h, f.shards)
	x := h + (shard<<8|uint64(data[f.start+shard]))*step
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	prints := data[f.start+f.table()+shard*f.shard():]
	a, found := mulhi(x, f.first), x^x>>32
	for _, place := range []uint64{a, (a + f.piece) ^ (x >> 18 & (f.piece - 1)), (a + 2*f.piece) ^ (x & (f.piece - 1))} {
		found ^= uint64(prints[2*place]) | uint64(prints[2*place+1])<<8
	}
	return found&0xffff == 0
}
