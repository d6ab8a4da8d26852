package org.bloomgate.lookup.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// A redis-server that runs here: of the embedded ones, or that of the system.
final class ServerBinary {
    private ServerBinary() {}

    /// The first that says its version. The one for 32 bits needs no library, the one for 64 bits needs OpenSSL 3.
    static String in(Path folder) throws IOException, InterruptedException {
        for (String embedded : embedded()) {
            Path file = folder.resolve(embedded);
            try (InputStream bytes = ServerBinary.class.getResourceAsStream("/" + embedded)) {
                if (bytes != null) {
                    Files.copy(bytes, file);
                    if (file.toFile().setExecutable(true) && runs(file.toString())) {
                        return file.toString();
                    }
                }
            }
        }
        if (runs("redis-server")) {
            return "redis-server";
        }
        throw new IOException("no redis-server runs here: tried " + embedded() + " and that of the system");
    }

    private static List<String> embedded() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        if (os.contains("mac")) {
            return List.of("redis-server-6.2.6-v5-darwin-" + (arm ? "arm64" : "amd64"));
        }
        return arm
                ? List.of("redis-server-6.2.7-linux-arm64")
                : List.of("redis-server-6.2.6-v5-linux-amd64", "redis-server-6.2.7-linux-386");
    }

    private static boolean runs(String program) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(program, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
