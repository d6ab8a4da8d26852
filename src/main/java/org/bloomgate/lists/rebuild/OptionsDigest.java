package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bloomgate.base.io.Sha256;

/// The digest of option records: equal for equal values, also in another process, where sets and maps have
/// another order. Only a digest is stored, as sources of feeds may contain secrets.
final class OptionsDigest {
    private final StringBuilder text = new StringBuilder();

    private OptionsDigest() {}

    static String of(Object... values) {
        OptionsDigest digest = new OptionsDigest();
        for (Object value : values) {
            digest.add(value);
        }
        return Sha256.hex(digest.text.toString().getBytes(UTF_8));
    }

    private void add(Object value) {
        switch (value) {
            case Record options -> addComponents(options);
            case Optional<?> optional -> optional.ifPresentOrElse(this::add, () -> text.append("none;"));
            case Set<?> set -> addSorted(set);
            case Collection<?> list -> list.forEach(this::add);
            case Map<?, ?> map -> {
                Map<String, Object> byName = new TreeMap<>();
                map.forEach((key, element) -> byName.put(String.valueOf(key), element));
                byName.forEach((key, element) -> {
                    add(key);
                    add(element);
                });
            }
            default -> {
                String plain = String.valueOf(value);
                text.append(plain.length()).append(':').append(plain).append(';');
            }
        }
    }

    private void addSorted(Set<?> set) {
        Set<String> words = new TreeSet<>();
        set.forEach(element -> words.add(String.valueOf(element)));
        words.forEach(this::add);
    }

    private void addComponents(Record options) {
        text.append(options.getClass().getSimpleName()).append('(');
        for (RecordComponent component : options.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true);
                text.append(component.getName()).append('=');
                add(component.getAccessor().invoke(options));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(component.toString(), e);
            }
        }
        text.append(')');
    }
}
