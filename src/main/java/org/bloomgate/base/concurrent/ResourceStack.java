package org.bloomgate.base.concurrent;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Resources that are closed in the reverse order of their opening, all of them even if closing one fails. Used
/// by one thread.
public final class ResourceStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceStack.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable part = opened.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("{} did not close", part.getClass().getSimpleName(), e);
            }
        }
    }
}
