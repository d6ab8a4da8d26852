package org.bloomgate.core.lookalike;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Protected people: their names as senders show them, and the addresses they write from. Immutable, thread-safe.
///
/// A display name is a person's when it holds all words of the name, or of one of the addresses, in any order: "Doe,
/// Jane", "Jane Doe (CEO)", "jane@corp.example". Words are compared as they look; `I`, `l`, `i` and `1` are one.
public final class People {
    /// As many as Microsoft takes in a policy. Hides nothing: a configuration with more is refused.
    public static final int MAX_PEOPLE = 350;

    public static final People NONE = new People(Map.of());

    /// Words that a display name is read for. Hides nothing: no client shows this many.
    private static final int MAX_WORDS = 50;

    private final Map<String, List<Person>> byFirstWord = new HashMap<>();

    private record Person(String name, Set<String> words, Set<String> addresses) {}

    /// @param people addresses by name, both as configured
    public People(Map<String, List<String>> people) {
        if (people.size() > MAX_PEOPLE) {
            throw new IllegalArgumentException("people: at most " + MAX_PEOPLE);
        }
        people.forEach((name, addresses) -> {
            Set<String> own = new TreeSet<>();
            addresses.forEach(address -> own.add(address.toLowerCase(Locale.ROOT)));
            add(name, name, own);
            own.forEach(address -> add(name, address, own));
        });
    }

    private void add(String name, String shown, Set<String> addresses) {
        Set<String> words = words(shown);
        if (words.isEmpty()) {
            throw new IllegalArgumentException("people." + name + ": a name has letters");
        }
        byFirstWord
                .computeIfAbsent(words.iterator().next(), none -> new ArrayList<>())
                .add(new Person(name, words, addresses));
    }

    public boolean isEmpty() {
        return byFirstWord.isEmpty();
    }

    /// The person whose name is shown before an address of someone else. A name of one word must be the whole
    /// display name.
    ///
    /// @param address canonical
    public Optional<LookAlike> find(String displayName, String address) {
        Set<String> shown = isEmpty() || displayName.isEmpty() ? Set.of() : words(displayName);
        for (String word : shown) {
            for (Person person : byFirstWord.getOrDefault(word, List.of())) {
                boolean meant = person.words().size() == 1 ? shown.size() == 1 : shown.containsAll(person.words());
                if (meant && !person.addresses().contains(address)) {
                    return Optional.of(new LookAlike(person.name(), Trick.DISPLAY_NAME));
                }
            }
        }
        return Optional.empty();
    }

    private static Set<String> words(String text) {
        Set<String> words = new TreeSet<>();
        for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{M}\\p{N}]+", MAX_WORDS)) {
            String skeleton =
                    Skeleton.of(word).replaceAll("[^\\p{L}\\p{N}]", "").replace('l', 'i');
            if (!skeleton.isEmpty()) {
                words.add(skeleton);
            }
        }
        return words;
    }
}
