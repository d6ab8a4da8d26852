package org.bloomgate.core.smtp;

/// The arguments of a command as a value, or the reply that rejects them.
public sealed interface Parsed<T> {
    record Valid<T>(T value) implements Parsed<T> {}

    record Refused<T>(Reply reply) implements Parsed<T> {}
}
