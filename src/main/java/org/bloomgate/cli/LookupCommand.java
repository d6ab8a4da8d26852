package org.bloomgate.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.bloomgate.config.ConfigException;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.gateway.Endpoint;
import org.bloomgate.gateway.Reload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `lookup`: the HTTP endpoint alone, which answers for the exact tier of gateways, until a signal ends it.
@Command(
        name = "lookup",
        description = {
            "Runs the HTTP endpoint without SMTP: the exact lookup service of gateways with 'exact.store: http', until",
            "SIGTERM or SIGINT (status 0).",
            "A line 'ready http=ADDRESS snapshot=GENERATION' on stderr says that it serves.",
            "SIGHUP makes it read the configuration again; the log says what was refused or waits for a restart."
        },
        mixinStandardHelpOptions = true)
final class LookupCommand implements Callable<Integer> {
    @Mixin
    ConfigurationOptions configuration;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        LogSetup.forService();
        Configuration read = configuration.read();
        try (Endpoint endpoint = Endpoint.open(read)) {
            endpoint.start();
            StopSignals signals = StopSignals.caught();
            new Reload(configuration.source(), endpoint).onHangup();
            spec.commandLine().getErr().println("ready " + endpoint.address());
            signals.await();
        }
        return ExitStatus.FINE;
    }
}
