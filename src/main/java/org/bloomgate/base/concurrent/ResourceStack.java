package org.bloomgate.base.concurrent;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Resources that are closed in the reverse order of their opening, all of them even if closing one fails. Used
/// by one thread.
public final class ResourceStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceStack.class);

    private final Deque<AutoCloseable> openResources = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T resource) {
        openResources.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!openResources.isEmpty()) {
            AutoCloseable resource = openResources.pop();
            try {
                resource.close();
            } catch (Exception e) {
                LOG.error("{} did not close", resource.getClass().getSimpleName(), e);
            }
        }
    }
}
