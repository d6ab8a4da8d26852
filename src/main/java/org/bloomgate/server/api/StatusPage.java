package org.bloomgate.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /`: the status page, one document that requests only `/v1` of its own origin.
///
/// Decisions contain text of hostile senders. The page only writes text nodes, and its policy limits the effect
/// of a mistake: the one script and the one style are named by their SHA-256, nothing is loaded from elsewhere,
/// strings cannot become markup ([Trusted Types](https://www.w3.org/TR/trusted-types/)), and the page cannot be
/// framed.
final class StatusPage implements Resource {
    private static final String FOLDER = "status/";

    /// In order: each may use the ones before it.
    private static final List<String> SCRIPTS = List.of(
            "dom.js",
            "format.js",
            "plots.js",
            "day.js",
            "overview.js",
            "layers.js",
            "decisions.js",
            "check.js",
            "reader.js",
            "shadow.js",
            "past.js",
            "admin.js",
            "page.js");

    private final Answer page;

    StatusPage() {
        String style = read("page.css");
        String script = SCRIPTS.stream().map(StatusPage::read).collect(Collectors.joining("\n", "'use strict';\n", ""));
        String html = read("page.html").replace("/*STYLE*/", style).replace("/*SCRIPT*/", script);
        page = Answer.text("text/html; charset=utf-8", html)
                .with("Content-Security-Policy", policy(style, script))
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Opener-Policy", "same-origin")
                .with("Cross-Origin-Resource-Policy", "same-origin")
                .with("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    }

    private static String policy(String style, String script) {
        return String.join(
                "; ",
                "default-src 'none'",
                "script-src 'sha256-" + sha256(script) + "'",
                "style-src 'sha256-" + sha256(style) + "'",
                "img-src data:",
                "connect-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
                "require-trusted-types-for 'script'",
                "trusted-types 'none'");
    }

    private static String sha256(String text) {
        return Base64.getEncoder().encodeToString(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String read(String name) {
        try (InputStream in = StatusPage.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException(FOLDER + name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public Route route() {
        return Route.get("/", Role.NONE);
    }

    @Override
    public Answer answer(Request request) {
        return page;
    }
}
