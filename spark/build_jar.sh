#!/usr/bin/env bash
# build_jar.sh SPARK_JARS MXINFER_JAR FOLDER: compiles mxinfer for Spark into
# FOLDER/mxinfer-spark_<version of Spark>_<version of Scala>.jar, and prints that path.
#
# SPARK_JARS is the folder with Spark's own jars: SPARK_HOME/jars, or jars in the Python package pyspark. The Scala compiler is
# among them. The jar works only with the versions of Spark and Scala in SPARK_JARS, since classes of one Scala version do not
# run with another.
set -euo pipefail
spark=$1 mxinfer=$2 folder=$3
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=${JAVA_HOME:+$JAVA_HOME/bin/}jar

fail() {
  echo "build_jar.sh: $*" >&2
  exit 1
}

# version NAME: the version in the name of the jar NAME-VERSION.jar.
version() {
  local found
  found=$(find "$spark" -maxdepth 1 -name "$1-[0-9]*.jar" -printf '%f\n' | sort | tail -n 1)
  [ -n "$found" ] || fail "there is no $1-*.jar in '$spark'; give the folder with Spark's jars, as SPARK_HOME/jars"
  found=${found#"$1-"}
  echo "${found%.jar}"
}

[ -f "$mxinfer" ] || fail "there is no '$mxinfer'; build the target mxinfer_java"
scala=$(version scala-compiler)
scala_short=${scala%.*}
spark_version=$(version "spark-core_$scala_short")
name="$folder/mxinfer-spark_${spark_version%.*}_$scala_short.jar"

classes="$folder/classes"
rm -rf "$classes"
mkdir -p "$classes"
"$java" -XX:TieredStopAtLevel=1 -Xss8m -cp "$spark/*" scala.tools.nsc.Main -deprecation:false -feature -Xfatal-warnings -encoding UTF-8 \
  -classpath "$mxinfer:$(printf '%s:' "$spark"/*.jar)" -d "$classes" "$here"/org/mxinfer/spark/*.scala
"$jar" --create --file "$name" -C "$classes" .
echo "$name"
