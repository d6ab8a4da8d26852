// The reader in Go as a program: one answer for each line of stdin.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	filter "bloomgate.example/filter"
)

const usage = "ask FILE KIND | ask-keys FILE KIND | open KIND FILES | keys KIND | hash SEED | verify DIRECTORY [KEYS.pem TIME]"

func main() {
	answer, err := prepare(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rejected:", err)
		os.Exit(1)
	}
	start, count := time.Now(), 0
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for answer != nil && lines.Scan() {
		fmt.Fprintln(out, answer(lines.Text()))
		count++
	}
	out.Flush()
	fmt.Fprintf(os.Stderr, "%d answers in %.3f s\n", count, time.Since(start).Seconds())
}

func prepare(arguments []string) (func(string) string, error) {
	if len(arguments) < 2 {
		return nil, fmt.Errorf("usage: %s", usage)
	}
	command, rest := arguments[0], arguments[1:]
	switch {
	case command == "hash":
		seed, err := strconv.ParseUint(rest[0], 16, 64)
		return func(line string) string {
			data, _ := hex.DecodeString(line)
			return fmt.Sprintf("%016x", filter.Hash(data, seed))
		}, err
	case command == "keys":
		return func(line string) string { return keys(rest[0], line) }, nil
	case command == "open":
		for _, path := range rest[1:] {
			f, err := filter.Open(path, rest[0])
			if err != nil {
				fmt.Println("rejected:", err)
			} else {
				fmt.Println("opened", f.Inserted)
			}
		}
		return nil, nil
	case command == "verify":
		return nil, verify(rest)
	case len(rest) == 2 && (command == "ask" || command == "ask-keys"):
		start := time.Now()
		f, err := filter.Open(rest[0], rest[1])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "opened %d keys in %.3f s\n", f.Inserted, time.Since(start).Seconds())
		return func(line string) string {
			if command == "ask-keys" {
				return answer(f.MightContain([]byte(line)), nil)
			}
			return answer(f.MightContainValue(line))
		}, nil
	}
	return nil, fmt.Errorf("usage: %s", usage)
}

func answer(maybe bool, err error) string {
	switch {
	case err != nil:
		return "rejected: " + err.Error()
	case maybe:
		return "maybe"
	}
	return "absent"
}

func keys(kind, value string) string {
	made, err := filter.Keys(kind, value)
	if err != nil {
		return answer(false, err)
	}
	texts := make([]string, len(made))
	for i, key := range made {
		texts[i] = string(key)
		if kind == "password" {
			texts[i] = strings.ToUpper(hex.EncodeToString(key))
		}
	}
	return strings.Join(texts, "\t")
}

// verify checks a generation; with keys, its signature, and the statement in the directory above as of a time.
func verify(arguments []string) error {
	directory := arguments[0]
	var trusted *filter.TrustedKeys
	if len(arguments) == 3 {
		text, err := os.ReadFile(arguments[1])
		if err != nil {
			return err
		}
		if trusted, err = filter.ParseKeys(text); err != nil {
			return err
		}
		now, err := time.Parse(time.RFC3339, arguments[2])
		if err != nil {
			return err
		}
		if err = verifyStatement(directory, trusted, now); err != nil {
			return err
		}
	}
	read := func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(directory, path)) }
	data, err := read("manifest.json")
	if err != nil {
		return err
	}
	signature, err := read("manifest.json.sig")
	if err != nil {
		return err
	}
	manifest, err := filter.ParseManifest(data, signature, trusted)
	if err != nil {
		return err
	}
	for _, entry := range manifest.Filters {
		f, err := manifest.Filter(entry.Kind, read)
		if err != nil {
			return err
		}
		fmt.Println(manifest.Layer, manifest.Generation, entry.Kind, f.Inserted)
	}
	return nil
}

func verifyStatement(directory string, trusted *filter.TrustedKeys, now time.Time) error {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Clean(directory)), "announced"))
	if err != nil {
		return err
	}
	statement, err := filter.ParseStatement(text, trusted, now)
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(directory, "manifest.json"))
	if err != nil {
		return err
	}
	for _, layer := range statement.Layers {
		if layer.Matches(manifest) {
			return nil
		}
	}
	return fmt.Errorf("announced: names no such manifest")
}
