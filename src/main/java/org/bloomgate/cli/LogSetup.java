package org.bloomgate.cli;

import org.slf4j.bridge.SLF4JBridgeHandler;

/// Where the log of a long-running command begins: at INFO, with what libraries say through `java.util.logging` in
/// the same lines. Must run before the first logger is made.
final class LogSetup {
    private LogSetup() {}

    static void forService() {
        System.setProperty("bloomgate.log.level", "INFO");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
