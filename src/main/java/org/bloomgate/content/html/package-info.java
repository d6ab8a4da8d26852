/// The syntax of HTML: tokens, elements, attributes and character references, as the WHATWG standard splits and decodes
/// them. What a link is and where it counts is for `message` to say.
///
/// Works on characters in place, makes no strings, keeps nothing; every cost is linear in the input. A
/// document that declares texts, as XML may, is written out by [DeclaredEntities], within a bound. Start
/// reading at [HtmlTokenizer].
@NullMarked
package org.bloomgate.content.html;

import org.jspecify.annotations.NullMarked;
