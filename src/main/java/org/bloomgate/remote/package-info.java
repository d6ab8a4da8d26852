/// Exact tiers on other machines, and what keeps a slow or broken one from being felt.
///
/// Asked over the network, a tier can be late, wrong or gone. Whatever is not proven is `Unknown`, never "not listed"
/// and never cached; the caller's deadline holds whatever the other side does.
///
/// Doors: `key`, `verdict`, `lookup`.
@NullMarked
package org.bloomgate.remote;

import org.jspecify.annotations.NullMarked;
