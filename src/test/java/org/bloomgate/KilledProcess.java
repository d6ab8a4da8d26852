package org.bloomgate;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/// A process that says how far it came, a number a line, and is killed there.
public final class KilledProcess {
    private KilledProcess() {}

    /// @param last at which it is killed
    /// @return the last number it said, -1 for none
    public static int said(Process process, int last) throws IOException, InterruptedException {
        int said = -1;
        try (BufferedReader out = process.inputReader()) {
            Optional<String> line = Optional.ofNullable(out.readLine());
            while (line.isPresent()) {
                said = Integer.parseInt(line.get());
                if (said == last) {
                    process.toHandle().destroyForcibly();
                }
                line = Optional.ofNullable(out.readLine());
            }
        }
        process.waitFor();
        return said;
    }
}
