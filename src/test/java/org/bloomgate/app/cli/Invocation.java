package org.bloomgate.app.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What one command answered.
record Invocation(int status, String out, String err) {

    /// Runs a command in this process with a text on its stdin.
    static Invocation of(String stdin, List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)));
        try {
            int status =
                    Bloomgate.run(new PrintWriter(out), new PrintWriter(err, true), arguments.toArray(String[]::new));
            return new Invocation(status, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }

    /// The lines of stdout without what differs from run to run.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        out.lines()
                .map(line -> line.replaceAll("20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                        .replaceAll("\\d{8}T\\d{6}Z-[0-9a-f]+", "GENERATION"))
                .forEach(lines::add);
        return lines;
    }

    boolean mentions(String text) {
        return out.contains(text) || err.contains(text);
    }
}
