package org.bloomgate.server.api;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bloomgate.lists.fetch.Cadence;

/// Remembers what was asked for and starts nothing.
final class StartedChanges implements LayerChanges {
    final List<String> started = new CopyOnWriteArrayList<>();
    volatile Optional<Running> running = Optional.empty();
    volatile Optional<String> obstacle = Optional.empty();

    @Override
    public Optional<Running> running() {
        return running;
    }

    @Override
    public Optional<String> obstacle() {
        return obstacle;
    }

    @Override
    public Optional<Running> start(Operation operation, Cadence cadence, Optional<String> generation, String by) {
        started.add(operation.label() + " " + cadence.layer() + " " + generation.orElse("-") + " " + by);
        return Optional.of(new Running(cadence.layer(), operation.label(), LiveService.CLOCK.instant(), by));
    }
}
