/// The catalogue of public lists that ships with the product: who publishes them, under which licence, and how they are
/// read.
///
/// Data only: nothing is fetched or resolved. Start reading at [Catalogue].
@NullMarked
package org.bloomgate.lists.catalogue;

import org.jspecify.annotations.NullMarked;
