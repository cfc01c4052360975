#!/usr/bin/env bash
# Compiles the transformers by the jars of the PySpark in BUILD_FOLDER/tests/spark/venv, and runs
#
#   tests/spark/jvm/run.sh BUILD_FOLDER cluster     # the classes of this folder, on a standalone cluster of two workers
#   tests/spark/jvm/run.sh BUILD_FOLDER document    # the program of docs/how-to/java.md
#
# It ends with 77 if that PySpark is not there.
set -euo pipefail
build=$1 what=$2
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../../.." && pwd)
mxinfer="$build/java/mxinfer.jar"
python="$build/tests/spark/venv/bin/python"
folder="$build/tests/spark/jvm/$what"

home=$("$python" -c 'import pathlib, pyspark; print(pathlib.Path(pyspark.__file__).parent)' 2> /dev/null) || {
  echo "spark: THE TRANSFORMERS OF SPARK ML ARE NOT TESTED: tests/spark/setup.sh has not made $python" >&2
  exit 77
}
rm -rf "$folder"
mkdir -p "$folder"
transformers=$(bash "$root/spark/build_jar.sh" "$home/jars" "$mxinfer" "$folder/jar")
classes="$transformers:$mxinfer:$(printf '%s:' "$home"/jars/*.jar)"
# For programs that run for seconds.
quick=-XX:TieredStopAtLevel=1

on_cluster() {
  mkdir -p "$folder/classes" "$folder/data"
  java "$quick" -Xss8m -cp "$home/jars/*" scala.tools.nsc.Main -encoding UTF-8 -d "$folder/classes" -classpath "$classes" \
    "$here"/*.scala
  jar --create --file "$folder/test.jar" -C "$folder/classes" .
  # shellcheck disable=SC2016  # the cluster's variables
  "$python" "$root/tests/spark/cluster.py" --workers 2 --cores 2 --memory 1g "$folder/cluster" -- \
    bash -c '"$SPARK_HOME/bin/spark-submit" --master "$SPARK_MASTER_URL" "$@"' spark-submit \
    --conf spark.ui.enabled=false --conf spark.executor.memory=512m --conf spark.driver.memory=512m \
    --conf spark.driver.extraJavaOptions="$quick" --conf spark.executor.extraJavaOptions="$quick" \
    --conf spark.sql.shuffle.partitions=2 --conf spark.sql.warehouse.dir="$folder/warehouse" \
    --jars "$mxinfer,$transformers" --class org.mxinfer.spark.tests.ClusterTest "$folder/test.jar" "$root" "$folder/data" \
    2> "$folder/log" || { tail -n 60 "$folder/log" >&2; exit 1; }
}

# What is behind the heading, where the first program in Java is that for Spark. What Spark needs of the JDK to be opened,
# spark-submit says by itself.
document() {
  local opened settings
  settings="-Dspark.master=local[2] -Dspark.ui.enabled=false -Dspark.sql.warehouse.dir=$folder/warehouse"
  opened=$(printf -- '--add-opens=java.base/%s=ALL-UNNAMED ' sun.nio.ch java.nio java.lang java.lang.invoke java.util)
  sed -n '/^## On Spark/,$p' "$root/docs/how-to/java.md" > "$folder/page.md"
  cd "$root"
  SPARK_LOCAL_IP=127.0.0.1 bash java/tests/run_document.sh java "$folder/page.md" "$folder" "javac -cp $classes" \
    "java $quick $opened $settings -cp $classes" \
    2> "$folder/log" || { tail -n 60 "$folder/log" >&2; exit 1; }
}

case $what in
  cluster) on_cluster ;;
  document) document ;;
  *) echo "run.sh: cluster or document, not '$what'" >&2; exit 1 ;;
esac
