/// The known senders of each recipient within a year, so that a first contact is recognised.
///
/// A ring of filters, one for four weeks each, over keyed hashes of pairs: a recipient with an address, and with its
/// domain. What is added is also appended to a file of the same four weeks, from which a restart fills the filter
/// again.
///
/// Never waits for a disk, never stores a name. A false positive hides a first contact, which is the harmless
/// direction.
///
/// Start reading at [KnownSenders] and [RotatingKnownSenders].
@NullMarked
package org.bloomgate.decision.senders;

import org.jspecify.annotations.NullMarked;
