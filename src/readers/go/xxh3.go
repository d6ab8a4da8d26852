package filter

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// XXH3 with 64 bits (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md).

const (
	p1, p2, p3 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
	p4, p5     = 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5
	q1, q2, q3 = 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d
	mx1, mx2   = 0x165667919e3779f9, 0x9fb21c651e98df25
)

var secret, _ = hex.DecodeString("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f" +
	"cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
	"3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
	"a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
	"eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e" +
	"2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")

func u32(b []byte, at int) uint64 { return uint64(binary.LittleEndian.Uint32(b[at:])) }
func u64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

func mulhi(x, y uint64) uint64 {
	high, _ := bits.Mul64(x, y)
	return high
}

func fold(x, y uint64) uint64 { return mulhi(x, y) ^ x*y }

func avalanche(h uint64) uint64 {
	h = (h ^ h>>37) * mx1
	return h ^ h>>32
}

func avalanche64(h uint64) uint64 {
	h = (h ^ h>>33) * p2
	h = (h ^ h>>29) * p3
	return h ^ h>>32
}

func mix(data []byte, at, key int, seed uint64) uint64 {
	return fold(u64(data, at)^(u64(secret, key)+seed), u64(data, at+8)^(u64(secret, key+8)-seed))
}

// Hash is the XXH3 hash of bytes with a seed.
func Hash(data []byte, seed uint64) uint64 {
	n := len(data)
	length := uint64(n)
	switch {
	case n == 0:
		return avalanche64(seed ^ u64(secret, 56) ^ u64(secret, 64))
	case n <= 3:
		c := uint64(data[0])<<16 | uint64(data[n>>1])<<24 | uint64(data[n-1]) | length<<8
		return avalanche64(c ^ ((u32(secret, 0) ^ u32(secret, 4)) + seed))
	case n <= 8:
		key := u64(secret, 8) ^ u64(secret, 16)
		key -= seed ^ uint64(bits.ReverseBytes32(uint32(seed)))<<32
		x := (u32(data, n-4) + u32(data, 0)<<32) ^ key
		x = (x ^ bits.RotateLeft64(x, 49) ^ bits.RotateLeft64(x, 24)) * mx2
		x = (x ^ (x>>35 + length)) * mx2
		return x ^ x>>28
	case n <= 16:
		low := u64(data, 0) ^ ((u64(secret, 24) ^ u64(secret, 32)) + seed)
		high := u64(data, n-8) ^ ((u64(secret, 40) ^ u64(secret, 48)) - seed)
		return avalanche(length + bits.ReverseBytes64(low) + high + fold(low, high))
	case n <= 128:
		h := length * p1
		for i := 0; i <= (n-1)/32; i++ {
			h += mix(data, 16*i, 32*i, seed) + mix(data, n-16*(i+1), 32*i+16, seed)
		}
		return avalanche(h)
	case n <= 240:
		h := length * p1
		for i := 0; i < 8; i++ {
			h += mix(data, 16*i, 16*i, seed)
		}
		h = avalanche(h)
		for i := 8; i < n/16; i++ {
			h += mix(data, 16*i, 16*(i-8)+3, seed)
		}
		return avalanche(h + mix(data, n-16, 119, seed))
	}
	return xxh3Long(data, seed)
}

func xxh3Long(data []byte, seed uint64) uint64 {
	var own [192]byte
	for i := 0; i < len(own); i += 16 {
		binary.LittleEndian.PutUint64(own[i:], u64(secret, i)+seed)
		binary.LittleEndian.PutUint64(own[i+8:], u64(secret, i+8)-seed)
	}
	acc := [8]uint64{q3, p1, p2, p3, p4, q2, p5, q1}
	stripe := func(at, key int) {
		for i := 0; i < 8; i++ {
			value := u64(data, at+8*i)
			keyed := value ^ u64(own[:], key+8*i)
			acc[i^1] += value
			acc[i] += keyed & 0xffffffff * (keyed >> 32)
		}
	}
	for j := 0; j < (len(data)-1)/64; j++ {
		stripe(64*j, 8*(j%16))
		if j%16 == 15 {
			for i := range acc {
				acc[i] = (acc[i] ^ acc[i]>>47 ^ u64(own[:], 128+8*i)) * q1
			}
		}
	}
	stripe(len(data)-64, 121)
	h := uint64(len(data)) * p1
	for i := 0; i < 4; i++ {
		h += fold(acc[2*i]^u64(own[:], 11+16*i), acc[2*i+1]^u64(own[:], 19+16*i))
	}
	return avalanche(h)
}
