package org.bloomgate.app.cli.common;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The base of every command: configuration, data on stdout, everything else on stderr.
@Command(mixinStandardHelpOptions = true)
public abstract class ConfiguredCommand implements Callable<Integer> {
    @Mixin
    protected ConfigurationOptions configuration;

    @Spec
    protected CommandSpec spec;

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /// A remark on stderr.
    protected final void remark(String text) {
        err().println("bloomgate: " + text);
    }
}
