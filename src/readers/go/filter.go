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

// CanonicalForm is the version of the keys that this package makes.
const CanonicalForm = 2

// Kinds has the code of each kind of key.
var Kinds = map[string]uint64{"address": 1, "domain": 2, "url": 3, "password": 4, "hash": 5, "keyword": 6,
	"domain-sha1": 9, "address-sha1": 10, "phone": 11}

const (
	magic       = "\x89BGF\r\n\x1a\n"
	headerBytes = 4096
	chunkBytes  = 64 << 20
	second      = 0xb7e151628aed2a6b
	places      = 0x243f6a8885a308d3
	step        = 0x9e3779b97f4a7c15
)

// Filter is an open filter file.
type Filter struct {
	Kind            string
	Inserted        uint64 // keys in it
	data            []byte
	seed, lines, k  uint64
	capacity        uint64
	fuse            *fuse
	firstFuseOffset uint64
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	if len(data) < headerBytes {
		return nil, fmt.Errorf("shorter than a header: %d bytes", len(data))
	}
	if string(data[:8]) != magic {
		return nil, errors.New("not a filter file: wrong magic")
	}
	version := u32(data, 8)
	f := &Filter{Kind: kind, Inserted: u64(data, 56), data: data, seed: u64(data, 32), lines: u64(data, 40),
		k: u32(data, 48), capacity: u64(data, 64)}
	rate := math.Float64frombits(u64(data, 72))
	canaries, chunks := u32(data, 52), u32(data, 108)
	code, known := Kinds[kind]
	largest := uint64(1) << 52
	if version == 2 {
		largest = 1 << 36
	}
	switch {
	case version != 1 && version != 2:
		return nil, fmt.Errorf("format version %d is unknown", version)
	case u32(data, 12) != headerBytes:
		return nil, fmt.Errorf("header length %d", u32(data, 12))
	case u32(data, headerBytes-4) != uint64(crc32.Checksum(data[:headerBytes-4], castagnoli)):
		return nil, errors.New("header checksum does not match")
	case u32(data, 16) != version:
		return nil, fmt.Errorf("layout %d in a file of version %d", u32(data, 16), version)
	case u32(data, 20) != 1:
		return nil, fmt.Errorf("hash %d is unknown", u32(data, 20))
	case u32(data, 24) != CanonicalForm:
		return nil, fmt.Errorf("canonical form %d, this reader knows %d", u32(data, 24), CanonicalForm)
	case !known || u32(data, 28) != code:
		return nil, fmt.Errorf("key kind %d is not that of %q", u32(data, 28), kind)
	case !(rate > 0 && rate < 1):
		return nil, fmt.Errorf("rate %v", rate)
	case f.lines < 1 || f.lines > 1<<46 || f.capacity > largest:
		return nil, fmt.Errorf("lines %d, capacity %d: out of range", f.lines, f.capacity)
	case f.k < 1 || f.k > 32 || version == 1 && f.k%2 != 0:
		return nil, fmt.Errorf("k %d", f.k)
	case canaries > 4:
		return nil, fmt.Errorf("%d canaries", canaries)
	case f.Inserted > math.MaxInt64 || u64(data, 80) > f.lines*512:
		return nil, errors.New("counts out of range")
	}
	length := f.lines * 64
	if version == 2 {
		f.fuse = newFuse(f.capacity)
		f.firstFuseOffset = headerBytes + length
		length += f.fuse.length()
		if f.lines%f.fuse.shards != 0 {
			return nil, errors.New("not as many lines for each shard")
		}
	}
	switch {
	case u64(data, 96) != length:
		return nil, fmt.Errorf("lines and capacity make a body of %d bytes, not %d", length, u64(data, 96))
	case uint64(len(data)) != headerBytes+length:
		return nil, fmt.Errorf("file of %d bytes instead of %d", len(data), headerBytes+length)
	case u32(data, 104) != chunkBytes || chunks != (length+chunkBytes-1)/chunkBytes || chunks > 740:
		return nil, errors.New("chunks")
	}
	for i := 0; i < int(chunks); i++ {
		from, to := headerBytes+i*chunkBytes, headerBytes+(i+1)*chunkBytes
		if to > len(data) {
			to = len(data)
		}
		if u32(data, 112+4*i) != uint64(crc32.Checksum(data[from:to], castagnoli)) {
			return nil, fmt.Errorf("checksum of chunk %d does not match", i)
		}
	}
	for i := 0; i < int(canaries); i++ {
		at := 3072 + 252*i
		length := int(data[at])
		if length > 251 {
			return nil, errors.New("canary too long")
		}
		if !f.MightContain(data[at+1 : at+1+length]) {
			return nil, errors.New("a canary is absent: keys were inserted with another hash")
		}
	}
	return f, nil
}

// MightContain reports whether a canonical key may have been inserted; false is certain.
func (f *Filter) MightContain(key []byte) bool {
	h := Hash(key, f.seed)
	if f.fuse != nil {
		return f.hasBits(h, f.k) && f.fuse.mightContain(f.data[f.firstFuseOffset:], h)
	}
	return f.hasBits(h, f.k/2) && f.hasBits(fold(h, second), f.k/2)
}

// MightContainValue reports whether any key of a value may have been inserted. Values without a plain canonical form are
// an error.
func (f *Filter) MightContainValue(value string) (bool, error) {
	keys, err := Keys(f.Kind, value)
	for _, key := range keys {
		if f.MightContain(key) {
			return true, err
		}
	}
	return false, err
}

func (f *Filter) hasBits(word, count uint64) bool {
	at := headerBytes + mulhi(word, f.lines)*64
	line := f.data[at : at+64]
	for count > 0 {
		p := fold(word, places)
		n := count
		if n > 7 {
			n = 7
		}
		for i := uint64(0); i < n; i++ {
			if line[p>>3&63]>>(p&7)&1 == 0 {
				return false
			}
			p >>= 9
		}
		word += step
		count -= n
	}
	return true
}

// fuse is the shape of the binary fuse filters behind the lines, one for each 2^20 keys.
type fuse struct{ shards, piece, first uint64 }

func newFuse(keys uint64) *fuse {
	shards := (keys + 1<<20 - 1) >> 20
	if shards == 0 {
		shards = 1
	}
	most := float64(keys)
	if shards > 1 {
		mean := most / float64(shards)
		most = math.Ceil(mean + 7*math.Sqrt(mean))
	}
	log := math.Log(math.Max(2, most))
	exponent := log/math.Log(3.33) + 2.25
	if most < 1<<19 {
		exponent--
	}
	piece := uint64(1) << uint(exponent)
	perKey := math.Max(1.125, 0.875+0.25*13.815510557964274/log)
	pieces := math.Max(1, math.Ceil(perKey*most/float64(piece))-2)
	return &fuse{shards, piece, uint64(pieces) * piece}
}

func (f *fuse) table() uint64  { return (f.shards + 63) / 64 * 64 }
func (f *fuse) shard() uint64  { return 2 * (f.first + 2*f.piece) }
func (f *fuse) length() uint64 { return f.table() + f.shards*f.shard() }

func (f *fuse) mightContain(body []byte, h uint64) bool {
	shard := mulhi(h, f.shards)
	x := h + (shard<<8|uint64(body[shard]))*step
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	prints := body[f.table()+shard*f.shard():]
	print := func(place uint64) uint64 { return uint64(prints[2*place]) | uint64(prints[2*place+1])<<8 }
	a := mulhi(x, f.first)
	b := (a + f.piece) ^ (x >> 18 & (f.piece - 1))
	c := (a + 2*f.piece) ^ (x & (f.piece - 1))
	return print(a)^print(b)^print(c) == (x^x>>32)&0xffff
}
