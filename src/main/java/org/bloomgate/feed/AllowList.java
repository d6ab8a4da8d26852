package org.bloomgate.feed;

import java.io.IOException;
import java.util.List;

/// Names that no feed may list.
public final class AllowList {
    private AllowList() {}

    /// The list that ships with the product and the files given, one name a line.
    public static AllowList load(List<String> files) throws IOException {
        return new AllowList();
    }
}
