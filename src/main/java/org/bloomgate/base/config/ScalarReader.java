package org.bloomgate.base.config;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Converts the text of a scalar to the type of an option: a number, a boolean, a duration, a path, an enum
/// constant, or any type with a public static `of(String)`, which throws `IllegalArgumentException` for an
/// invalid text, and whose `toString` returns a valid one.
public final class ScalarReader {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kKMG]i?B?)?");

    private ScalarReader() {}

    static boolean reads(Class<?> type) {
        return type == String.class
                || type == int.class
                || type == Integer.class
                || type == long.class
                || type == double.class
                || type == Double.class
                || type == boolean.class
                || type == Boolean.class
                || type == Duration.class
                || type == Path.class
                || type.isEnum()
                || FACTORIES.get(type).isPresent();
    }

    /// @throws IllegalArgumentException whose message says what would be right
    static Object read(String text, Class<?> type) {
        if (type == String.class) {
            return text;
        } else if (type == Path.class) {
            return readPath(text);
        } else if (type == boolean.class || type == Boolean.class) {
            return readBoolean(text);
        } else if (type == int.class || type == Integer.class) {
            return Math.toIntExact(readNumber(text, Integer.MAX_VALUE));
        } else if (type == long.class) {
            return readNumber(text, Long.MAX_VALUE);
        } else if (type == double.class || type == Double.class) {
            return readDecimal(text);
        } else if (type == Duration.class) {
            return duration(text);
        } else if (type.isEnum()) {
            return readConstant(text, type);
        }
        return FACTORIES.get(type).orElseThrow().apply(text);
    }

    /// The text that [#read(String, Class)] turns into the value again.
    static String write(Object value) {
        return switch (value) {
            case Duration duration -> write(duration);
            case Enum<?> constant -> label(constant);
            default -> value.toString();
        };
    }

    private static Path readPath(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("is empty; name a file or folder");
        }
        return Path.of(text);
    }

    private static boolean readBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }

    private static long readNumber(String text, long max) {
        Matcher matcher = SIZE.matcher(text.replace("_", ""));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number (for example 500, 64k, 25M, 2G)");
        }
        String unit =
                matcher.group(2) == null ? "" : matcher.group(2).substring(0, 1).toUpperCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : 10 * (1 + "KMG".indexOf(unit));
        long value = Long.parseLong(matcher.group(1));
        if (value > max >> shift) {
            throw new IllegalArgumentException("'" + text + "' is above the largest value, " + max);
        }
        return value << shift;
    }

    private static double readDecimal(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
    }

    /// A duration as configuration files write it: `250ms`, `20s`, `5m`, `2h`, `7d`.
    ///
    /// @throws IllegalArgumentException whose message says what would be right
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration (for example 250ms, 20s, 5m, 2h, 7d)");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static String write(Duration duration) {
        if (duration.toMillisPart() != 0) {
            return duration.toMillis() + "ms";
        } else if (duration.toSecondsPart() != 0 || duration.isZero()) {
            return duration.toSeconds() + "s";
        } else if (duration.toMinutesPart() != 0) {
            return duration.toMinutes() + "m";
        }
        return duration.toHoursPart() != 0 ? duration.toHours() + "h" : duration.toDays() + "d";
    }

    private static Object readConstant(String text, Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return Arrays.stream(constants)
                .filter(constant -> label((Enum<?>) constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is none of "
                        + Arrays.stream(constants)
                                .map(constant -> label((Enum<?>) constant))
                                .collect(Collectors.joining(", "))));
    }

    /// The word for a constant in a file.
    static String label(Enum<?> constant) {
        return constant instanceof Labelled labelled ? labelled.label() : Labelled.Labels.of(constant);
    }

    /// The `of(String)` of a type that has one.
    private static final ClassValue<Optional<Function<String, Object>>> FACTORIES = new ClassValue<>() {
        @Override
        protected Optional<Function<String, Object>> computeValue(Class<?> type) {
            try {
                Method of = type.getMethod("of", String.class);
                return of.getReturnType() == type ? Optional.of(text -> invokeFactory(of, text)) : Optional.empty();
            } catch (NoSuchMethodException e) {
                return Optional.empty();
            }
        }
    };

    private static Object invokeFactory(Method of, String text) {
        try {
            return of.invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
