package org.bloomgate.server.api;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.Request;

/// The operator's page: the document at `/`, and its modules and its style at `/page/FILE`. Only files that the
/// document references are served. Browsers revalidate each by its ETag.
///
/// The page shows text of hostile senders. It only writes text nodes, and its policy limits the effect of a
/// mistake: scripts and styles come from this origin, where only `/page/` answers with their media types,
/// strings cannot become markup ([Trusted Types](https://www.w3.org/TR/trusted-types/)), and the page cannot be
/// framed.
final class OperatorPage {
    private static final String FOLDER = "page/";
    private static final String DOCUMENT = "page.html";
    private static final String REFERENCE = "\"/page/";

    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'");

    private final File document;
    private final Map<String, File> files;

    OperatorPage() {
        byte[] html = read(DOCUMENT);
        document = File.of("text/html; charset=utf-8", html);
        files = referencedFiles(new String(html, StandardCharsets.UTF_8)).stream()
                .collect(toMap(Function.identity(), name -> File.of(mediaType(name), read(name))));
    }

    /// A file, with its answer and the answer to a browser that has it.
    private record File(EntityTag tag, Answer whole, Answer unchanged) {
        static File of(String mediaType, byte[] bytes) {
            EntityTag tag = new EntityTag(HexFormat.of().formatHex(Sha256.digest(bytes), 0, 16));
            return new File(
                    tag,
                    withSecurityFields(tag.on(Answer.bytes(mediaType, bytes).packed())),
                    withSecurityFields(tag.on(Answer.empty(304))));
        }

        Answer answer(Request request) {
            return tag.isKnownTo(request) ? unchanged : whole;
        }

        private static Answer withSecurityFields(Answer answer) {
            return answer.with("Content-Security-Policy", POLICY)
                    .with("Referrer-Policy", "no-referrer")
                    .with("Cross-Origin-Opener-Policy", "same-origin")
                    .with("Cross-Origin-Resource-Policy", "same-origin")
                    .with("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
        }
    }

    private static Set<String> referencedFiles(String document) {
        Set<String> names = new TreeSet<>();
        for (int at = document.indexOf(REFERENCE); at >= 0; at = document.indexOf(REFERENCE, at + 1)) {
            int from = at + REFERENCE.length();
            String name = document.substring(from, TextScan.next(document, from, c -> c == '"'));
            if (name.endsWith(".js") || name.endsWith(".css")) {
                names.add(name);
            }
        }
        return names;
    }

    private static String mediaType(String name) {
        return name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
    }

    private static byte[] read(String name) {
        try (InputStream in = OperatorPage.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + name + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// Answers `/`.
    Answer document(Request request) {
        return document.answer(request);
    }

    /// Answers `/page/{file}`.
    Answer file(Request request) {
        return Optional.ofNullable(files.get(request.pathParameter("file")))
                .map(file -> file.answer(request))
                .orElseGet(() -> Answer.problem(Problem.notFound()));
    }
}
