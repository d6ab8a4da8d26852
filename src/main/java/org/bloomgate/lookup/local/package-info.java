/// Listings and exceptions that operators make at run time: the layer `local`.
///
/// All entries are in one small file, which is rewritten as a whole for every change: written to a temporary
/// file, synced, renamed. Commands, and the gateway for the admin API, change it under the same lock; a running
/// gateway checks the file several times a second and swaps one reference. So changes are durable, need neither
/// a running gateway nor, on the machine itself, a token, and apply within a second.
///
/// ```
///   EntryText (typed or sent) -> EntryParser -> Entry -> LocalEntries -> EntryText -> LocalFile
///   LiveEntries: LocalFile -> LocalRules -> leases of LayerSource
/// ```
///
/// Precedence: exceptions, then local listings, then the feeds of the snapshots. An exception covers the
/// identifiers that a listing of its value would cover (`suffix`: and all below it; `exact`: it alone), anyone
/// who lists them, unless its scope names a feed, a category or the domain of the recipient. Of the exceptions
/// that apply the one with the narrowest scope is named.
///
/// A file that is damaged, or gone though there was one, is never read as empty and no command overwrites it: a
/// running gateway keeps what it had and says so (and writes a file that is gone again with the next change of
/// its admin API), one that starts does not, commands end with status 2. Who means to begin again moves the
/// folder away.
///
/// Start reading at [EntryService], [LocalFile] and [LiveEntries].
@NullMarked
package org.bloomgate.lookup.local;

import org.jspecify.annotations.NullMarked;
