package org.bloomgate.app.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The base of every command: configuration, data on stdout, everything else on stderr.
@Command(mixinStandardHelpOptions = true)
abstract class ConfiguredCommand implements Callable<Integer> {
    @Mixin
    ConfigurationOptions configuration;

    @Spec
    CommandSpec spec;

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /// A remark on stderr.
    final void remark(String text) {
        err().println("bloomgate: " + text);
    }
}
