package org.bloomgate.app.cli.inspect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.StdinLines;
import org.bloomgate.core.key.Canonicalization;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `canonicalize`: prints the canonical form and keys of URLs.
@Command(
        name = "canonicalize",
        description = {
            "Prints the canonical form of URLs: the URL, a tab, its lookup keys.",
            "One line for every URL, in order; an empty canonical form means it is not a URL."
        })
public final class CanonicalizeCommand extends ConfiguredCommand {
    @Parameters(paramLabel = "URL", description = "URLs; without one, or with '-', the lines of stdin.")
    List<String> urls = List.of();

    @Option(names = "--json", description = "Print one JSON object per line: {\"input\",\"canonical\",\"keys\":[..]}.")
    boolean json;

    @Override
    public Integer call() throws IOException {
        if (urls.isEmpty() || urls.equals(List.of("-"))) {
            StdinLines lines = new StdinLines(System.in);
            for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
                print(line.get());
            }
        } else {
            urls.forEach(url -> print(url.getBytes(StandardCharsets.UTF_8)));
        }
        return ExitStatus.FINE;
    }

    private void print(byte[] url) {
        Canonicalization form = Canonicalization.of(url, PublicSuffixes.bundled());
        out().println(json ? AnswerJson.line(form) : form.canonical() + "\t" + String.join(" ", form.keys()));
    }
}
