package org.bloomgate.app.cli;

import java.io.IOException;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Endpoint;
import org.bloomgate.app.gateway.wiring.Reload;
import org.bloomgate.base.config.ConfigException;
import picocli.CommandLine.Command;

/// The command `lookup`: runs only the HTTP listener, as the exact tier of gateways, until a signal.
@Command(
        name = "lookup",
        description = {
            "Runs the exact lookup service: the HTTP listener without SMTP. Gateways with "
                    + "'exact.store: http' use it.",
            "SIGTERM and SIGINT end it (exit status 0).",
            "The line 'ready http=ADDRESS snapshot=GENERATION' on stderr shows that it is ready.",
            "SIGHUP reloads the configuration; the log names what was rejected or needs a restart."
        })
final class LookupCommand extends ConfiguredCommand {
    @Override
    public Integer call() throws ConfigException, IOException, InterruptedException {
        LogSetup.forService();
        Configuration read = configuration.read();
        LogSetup.use(read.log());
        try (Endpoint endpoint = Endpoint.open(read)) {
            endpoint.start();
            endpoint.show(configuration.source());
            StopSignals signals = StopSignals.register();
            new Reload(configuration.source(), endpoint).onHangup();
            err().println(LogLine.of(read.log().format(), "ready " + endpoint.address()));
            signals.await();
        }
        return ExitStatus.FINE;
    }
}
