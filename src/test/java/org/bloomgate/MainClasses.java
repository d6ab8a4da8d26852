package org.bloomgate;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/// The classes of the program, read once for all rules about them.
final class MainClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("org.bloomgate");

    private MainClasses() {}
}
