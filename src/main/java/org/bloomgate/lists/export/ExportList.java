package org.bloomgate.lists.export;

/// A list of an export: `feed:NAME`, `category:NAME`, or `local` for the entries of operators.
///
/// @param name empty for `local`
public record ExportList(Type type, String name) {
    /// The kind of list that the name refers to.
    public enum Type {
        FEED,
        CATEGORY,
        LOCAL
    }

    /// @throws IllegalArgumentException if the text is not a list
    public static ExportList of(String text) {
        if (text.equals("local")) {
            return new ExportList(Type.LOCAL, "");
        }
        int colon = text.indexOf(':');
        String name = text.substring(colon + 1);
        return switch (name.isEmpty() ? "" : text.substring(0, Math.max(0, colon))) {
            case "feed" -> new ExportList(Type.FEED, name);
            case "category" -> new ExportList(Type.CATEGORY, name);
            default -> throw new IllegalArgumentException("'" + text + "' is not feed:NAME, category:NAME or local");
        };
    }

    /// Whether a listing is in this list.
    ///
    /// @param local true for an entry of an operator, which is in no category's or feed's list
    boolean includes(String feed, String category, boolean local) {
        return switch (type) {
            case FEED -> !local && name.equals(feed);
            case CATEGORY -> !local && name.equals(category);
            case LOCAL -> local;
        };
    }

    @Override
    public String toString() {
        return switch (type) {
            case FEED -> "feed:" + name;
            case CATEGORY -> "category:" + name;
            case LOCAL -> "local";
        };
    }
}
