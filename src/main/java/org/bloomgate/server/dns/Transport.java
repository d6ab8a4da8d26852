package org.bloomgate.server.dns;

import org.bloomgate.base.config.Labelled;

/// The transport of a query.
enum Transport implements Labelled {
    UDP,
    TCP
}
