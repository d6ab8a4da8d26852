package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.bloom.ScalableFilter;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.lookup.tier.OrderedKeyStore;

/// Adds every name above a listed one to a filter, in the form of a query: an address has its bytes or digits
/// in reverse order. Used by one thread.
final class ParentNames implements OrderedKeyStore.Visitor {
    private final KeyHash hash;
    private final ScalableFilter parents;

    ParentNames(KeyHash hash, ScalableFilter parents) {
        this.hash = hash;
        this.parents = parents;
    }

    @Override
    public void key(byte[] bytes, int from, int to, long count) {
        byte last = to > from ? bytes[to - 1] : 0;
        if (last == ']' || (last >= '0' && last <= '9')) {
            Optional<byte[]> queryName = queryNameOf(new String(bytes, from, to - from, StandardCharsets.US_ASCII));
            if (queryName.isPresent()) {
                addParents(queryName.get(), 0, queryName.get().length);
                return;
            }
        }
        addParents(bytes, from, to);
    }

    private void addParents(byte[] name, int from, int to) {
        for (int i = from; i < to - 1; i++) {
            if (name[i] == '.') {
                parents.add(hash.hash(name, i + 1, to));
            }
        }
    }

    private static Optional<byte[]> queryNameOf(String text) {
        String bare = text.startsWith("[") ? text.substring(1, text.length() - 1) : text;
        return IpLiteral.parse(bare)
                .map(InetAddress::getAddress)
                .map(bytes ->
                        bytes.length == 4 ? reversed(TextScan.split(bare, c -> c == '.')) : reversed(digits(bytes)))
                .map(name -> name.getBytes(StandardCharsets.US_ASCII));
    }

    private static List<String> digits(byte[] bytes) {
        return HexFormat.of()
                .formatHex(bytes)
                .chars()
                .mapToObj(Character::toString)
                .toList();
    }

    private static String reversed(List<String> parts) {
        StringBuilder name = new StringBuilder();
        for (int i = parts.size() - 1; i >= 0; i--) {
            name.append(parts.get(i)).append(i > 0 ? "." : "");
        }
        return name.toString();
    }
}
