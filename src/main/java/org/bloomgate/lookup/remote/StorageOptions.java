package org.bloomgate.lookup.remote;

import org.bloomgate.base.net.WebAddress;

/// The `exact.storage` section of the configuration: the web server with the files of exact stores.
///
/// @param url of a publisher or of its published directory, without `/v1/snapshots`; empty for `mirror.url`
public record StorageOptions(String url) {
    public StorageOptions {
        if (!url.isEmpty()) {
            WebAddress.requireValid("url", url);
        }
    }

    public static StorageOptions defaults() {
        return new StorageOptions("");
    }
}
