package org.bloomgate.core.lookalike;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.text.TextForms;

/// Protected people: their display names, and the addresses from which they write. Immutable, thread-safe.
///
/// A display name belongs to a person if it has all words of the name, or of one of the addresses, in any
/// order: "Doe, Jane", "Jane Doe (CEO)", "jane@corp.example". Words are compared by their appearance; `I`, `l`,
/// `i` and `1` are equal.
public final class People {
    /// The same number as in a policy of Microsoft. Hides nothing: a configuration with more is rejected.
    public static final int MAX_PEOPLE = 350;

    public static final People NONE = new People(Map.of());

    /// The characters of a display name that clients show. Hides nothing: the rest is searched too.
    public static final int MAX_NAME_CHARS = 256;

    private final Map<String, List<Person>> byFirstWord = new HashMap<>();

    private record Person(String name, Set<String> words, Set<String> addresses) {}

    /// @param people addresses by name, both as configured
    public People(Map<String, List<String>> people) {
        if (people.size() > MAX_PEOPLE) {
            throw new IllegalArgumentException("people: at most " + MAX_PEOPLE);
        }
        people.forEach((name, addresses) -> {
            Set<String> own = new TreeSet<>();
            addresses.forEach(address -> own.add(TextForms.lowerCase(address)));
            add(name, name, own);
            own.forEach(address -> add(name, address, own));
        });
    }

    private void add(String name, String shown, Set<String> addresses) {
        Set<String> words = words(NameWords.plain(shown));
        if (words.isEmpty()) {
            throw new IllegalArgumentException("people." + name + ": a name has letters");
        }
        byFirstWord
                .computeIfAbsent(words.iterator().next(), _ -> new ArrayList<>())
                .add(new Person(name, words, addresses));
    }

    public boolean isEmpty() {
        return byFirstWord.isEmpty();
    }

    /// The person whose name is the display name of someone else's address. A name of one word must be the
    /// whole display name that clients show.
    ///
    /// @param address canonical
    public Optional<LookAlike> find(String displayName, String address) {
        String name = isEmpty() ? "" : NameWords.plain(displayName);
        Set<String> all = words(name);
        Set<String> shown = name.length() <= MAX_NAME_CHARS ? all : words(name.substring(0, MAX_NAME_CHARS));
        for (String word : all) {
            for (Person person : byFirstWord.getOrDefault(word, List.of())) {
                boolean meant =
                        person.words().size() == 1 ? shown.equals(person.words()) : all.containsAll(person.words());
                if (meant && !person.addresses().contains(address)) {
                    return Optional.of(new LookAlike(person.name(), Trick.DISPLAY_NAME));
                }
            }
        }
        return Optional.empty();
    }

    private static Set<String> words(String plain) {
        return new TreeSet<>(NameWords.of(plain));
    }
}
