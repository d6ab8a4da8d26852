/// The syntax of HTML: tokens, elements, attributes and character references, as the WHATWG standard splits and
/// decodes them. The package `links` decides what a link is and where it counts.
///
/// This package works on characters in place, creates no strings and keeps no state; every cost is linear in
/// the input. [DeclaredEntities] expands the entities that an XML document declares, within a bound. Start
/// reading at [HtmlTokenizer].
@NullMarked
package org.bloomgate.content.html;

import org.jspecify.annotations.NullMarked;
