# filled in with the package
