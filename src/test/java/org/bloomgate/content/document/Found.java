package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// Remembers everything a reader of documents hands on.
final class Found implements LinkSink {
    final List<String> links = new ArrayList<>();
    final List<String> texts = new ArrayList<>();
    final List<String> scripts = new ArrayList<>();
    final List<String> files = new ArrayList<>();
    final List<String> pictures = new ArrayList<>();
    final Set<String> limits = new TreeSet<>();
    private final Allowance allowance = new Allowance(MessageLimits.defaults());

    @Override
    public boolean spendUnpacked(long bytes) {
        return spend(bytes);
    }

    @Override
    public boolean spend(long units) {
        return true;
    }

    @Override
    public Allowance allowance() {
        return allowance;
    }

    @Override
    public void reached(Limit limit) {
        limits.add(limit.label());
    }

    @Override
    public void addLink(String url) {
        links.add(url);
    }

    @Override
    public void addText(String text) {
        texts.add(text.strip());
    }

    @Override
    public void addHtml(String html) {
        texts.add(html);
    }

    @Override
    public void addScript(String script) {
        scripts.add(script);
    }

    @Override
    public boolean wantsPicture(int width, int height) {
        return true;
    }

    @Override
    public void addPicture(int width, int height, int colours, byte[] samples) {
        pictures.add(width + "x" + height + "x" + colours + ":" + HexFormat.of().formatHex(samples));
    }

    @Override
    public void addDrawing(Drawing drawing) {
        pictures.add("drawing");
    }

    @Override
    public void addFile(String name, byte[] bytes, int length) {
        files.add(name + new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void addFile(String name, String base64) {
        files.add(name + base64);
    }

    @Override
    public void addUnknown(byte[] bytes, int length) {
        files.add("?" + new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    }
}
